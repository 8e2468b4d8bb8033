// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static dev.verbatim.verbs.Rule.Scope.CHOICES;
import static dev.verbatim.verbs.Rule.Scope.CM;
import static dev.verbatim.verbs.Rule.Scope.NETWORKDIRECT;
import static dev.verbatim.verbs.Rule.Scope.OUT;
import static dev.verbatim.verbs.Rule.Scope.RC;
import static dev.verbatim.verbs.Rule.Scope.TYPES;
import static dev.verbatim.verbs.Rule.Scope.WINDOW;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The catalogue of rules that the device is held against, a line each: section, scope, statement and perhaps basis. Its id is the
 * constant's name with hyphens. A constant stands where its rule is decided; {@code verbatim rules <id>} prints what a rule says, its
 * source, and the tests that check it. N1 to N18 are what devices are free to do in one way or another; litmus programs (LT), traces
 * (TR), procedures of tests (T) and test vectors (TV) say what comes of other rules, and the device decides nothing by them.
 */
public enum Rule {
    // spotless:off
    PD_01("A.1", RC, "dealloc_pd returns EBUSY while an MR, MW, QP, SRQ or AH lives on the PD, leaves the PD usable, and returns 0 once the last child is gone."),
    PD_02("A.1", RC, "Creating a QP, MR or MW on a deallocated PD gives NULL with ENOENT; a tolerant test also takes EINVAL."),
    PD_03("A.1", RC, "A second dealloc through one PD handle is detected (EINVAL, ENOENT or a closed-object exception) and leaves every other PD untouched."),
    PD_04("A.1", RC, "destroy_cq returns EBUSY while a QP uses the CQ as its send or receive CQ."),
    PD_05("A.1", RC, "destroy_comp_channel returns EBUSY while a CQ is attached to it, and destroy_srq returns EBUSY while a QP uses the SRQ."),
    PD_06("A.1", TYPES, "With SRQ and QP on different PDs, the receive lkey is held against the SRQ's PD and an incoming rkey against the QP's PD."),
    PD_07("A.1", RC, "Closing a device context that still has children returns EBUSY; a forced close destroys users before what they use, QPs first and PDs last."),
    MR_01("A.2", RC, "reg_mr with an access bit outside the defined and the optional range (20..29) gives NULL with EINVAL; a tolerant test also takes EOPNOTSUPP."),
    MR_02("A.2", RC, "reg_mr drops an optional-range access bit that the device lacks, such as RELAXED_ORDERING, and succeeds."),
    MR_03("A.2", RC, "reg_mr asking for REMOTE_WRITE but not LOCAL_WRITE gives NULL with EINVAL."),
    MR_04("A.2", RC, "reg_mr asking for REMOTE_ATOMIC but not LOCAL_WRITE gives NULL with EINVAL."),
    MR_05("A.2", RC, "reg_mr with ON_DEMAND on a device that has no on-demand paging gives NULL with EOPNOTSUPP."),
    MR_06("A.2", RC, "reg_mr with FLUSH_GLOBAL or FLUSH_PERSISTENT on a device that lacks the capability gives NULL with EOPNOTSUPP."),
    MR_07("A.2", WINDOW, "reg_mr with MW_BIND succeeds even where the device reports no memory window capability."),
    MR_08("A.2", RC, "reg_mr over a range that passes 2^64 or that the process cannot read gives NULL with EFAULT, EINVAL or ENOMEM."),
    MR_09("A.2", RC, "reg_mr on an invalid PD fails as PD-02 says."),
    MR_10("A.2", RC, "An MR registered with access 0 serves as the source of a SEND or RDMA_WRITE: reading locally needs no flag."),
    MR_11("A.2", RC, "An MR without LOCAL_WRITE as RECV buffer gives LOC_PROT_ERR and REM_OP_ERR, both ERR; as READ or atomic result LOC_PROT_ERR, requester ERR only."),
    MR_12("A.2", RC, "REMOTE_READ alone admits READ, REMOTE_WRITE alone WRITE, REMOTE_ATOMIC alone atomics; LOCAL_WRITE of the target is not looked at on access."),
    MR_13("A.2", RC, "By default an rkey shares the lkey's index with another variant and is 0 without remote rights; the RXE, MLX5 and IRDMA presets make both equal."),
    MR_14("A.2", RC, "A key used as the other class is unknown: an lkey used remotely gives REM_ACCESS_ERR, an rkey used locally gives LOC_PROT_ERR."),
    MR_15("A.2", RC, "Registrations over the same or overlapping memory are independent in keys, access flags and PD."),
    MR_16("A.2", RC, "max_mr registrations succeed; one more gives NULL with ENOMEM, and a length above max_mr_size gives NULL with EINVAL."),
    MR_17("A.2", RC, "A read-only buffer is refused with LOCAL_WRITE and accepted without it."),
    MR_20("A.3", RC, "After reg_mr_iova, SGEs and remote addresses name [iova, iova+length); ZERO_BASED means iova 0 and plain reg_mr means iova = buffer address."),
    MR_21("A.3", RC, "Any iova is accepted, whatever the alignment of the buffer beneath it."),
    MR_22("A.3", RC, "An access one byte before or past the MR gives REM_ACCESS_ERR remotely and LOC_PROT_ERR locally; the bounds hold exactly in unsigned 64 bits."),
    MR_24("A.3", RC, "Two plain registrations of one memory name each byte by the same address, whatever their PD or device."),
    MR_23("A.3", RC, "An access whose range crosses 2^64 is a violation and never reaches the start of an MR."),
    MR_30("A.4", RC, "reg_mr with length 0 succeeds (EINVAL where a profile forbids it), and the MR then takes only zero-length accesses."),
    // MR-31, MW-109 and T-17 are one rule: of all keys, of those of windows, and as a procedure of tests.
    MR_31("A.4", RC, "A zero-byte WRITE, READ or SEND that the QP's rights admit ends in SUCCESS with any rkey and remote address: at DMA length 0 no rkey is checked."),
    MR_32("A.4", RC, "The lkey of an SGE of length 0 is never checked, and num_sge 0 acts like a single SGE of length 0."),
    MR_33("A.4", RC, "A message of exactly 2^31 bytes may be posted; more gives EINVAL on post and, as RETH length on the wire, NAK invalid request."),
    MR_40("A.5", RC, "An lkey is judged when the WQE runs, not on post: known, PD, access, range; else sender LOC_PROT_ERR, or receiver LOC_PROT_ERR and sender REM_OP_ERR."),
    MR_41("A.5", RC, "An rkey of an MR on another PD than the responder QP's gives REM_ACCESS_ERR, EV QP_ACCESS_ERR at the responder, and both QPs in ERR."),
    MR_42("A.5", RC, "On WRITE or SEND a bad lkey is found before the first packet; on READ or an atomic at the response, so a bad rkey is then reported instead."),
    MR_43("A.5", RC, "A RECV SGE that exceeds its MR is harmless while the payload stays inside (LOC_PROT_ERR under strictRecvSge); payload outside the MR fails as in MR-11."),
    MR_44("A.5", RC, "lkey 0 is an unknown key for user QPs: LOC_PROT_ERR."),
    MR_50("A.6", WINDOW, "dereg_mr returns EBUSY while a window is bound to the MR; MR and windows keep working (profiles: EINVAL, or success with orphaned windows)."),
    MR_51("A.6", WINDOW, "dereg_mr succeeds once each window was invalidated, rebound elsewhere, bound with length 0, or deallocated."),
    MR_52("A.6", RC, "dereg_mr under posted RECVs returns 0; a message that later lands there gives LOC_PROT_ERR at the receiver, REM_OP_ERR at the sender, both ERR."),
    MR_53("A.6", RC, "dereg_mr under the local MR of outstanding READs or WRITEs returns 0; those WRs end SUCCESS or LOC_PROT_ERR, the ones behind WR_FLUSH_ERR."),
    MR_54("A.6", RC, "Once dereg_mr has returned, nobody reads or writes a byte through the MR's keys; a message still in flight ends REM_ACCESS_ERR at its sender."),
    MR_55("A.6", RC, "A deregistered MR's keys are unknown: LOC_PROT_ERR locally, REM_ACCESS_ERR remotely."),
    MR_56("A.6", RC, "A second dereg_mr of one handle fails with ENOENT; a tolerant test also takes EINVAL."),
    MR_60("A.7", TYPES, "rereg_mr with a flag other than TRANSLATION, PD or ACCESS returns -1 with EINVAL and changes nothing."),
    MR_61("A.7", TYPES, "rereg_mr with CHANGE_TRANSLATION and no address or length 0 returns -1."),
    MR_62("A.7", TYPES, "rereg_mr with access flags given but CHANGE_ACCESS absent returns -1."),
    MR_63("A.7", TYPES, "rereg_mr to an illegal access combination returns -4; the MR is then fit only for dereg_mr."),
    MR_64("A.7", TYPES, "rereg_mr of an MR that carries bound windows returns -4 with errno EBUSY."),
    MR_65("A.7", TYPES, "After CHANGE_TRANSLATION the former range is refused; a RECV on the old address gives the sender REM_OP_ERR, and the keys may be new."),
    MR_66("A.7", TYPES, "Taking REMOTE_WRITE away by CHANGE_ACCESS turns a peer's WRITE into REM_ACCESS_ERR; granting it again restores service to a recovered QP."),
    MR_67("A.7", TYPES, "CHANGE_PD moves the MR: a message landing through a QP of the former PD gives REM_OP_ERR, and the former PD can be deallocated."),
    MR_68("A.7", TYPES, "RXE_LIKE answers CHANGE_TRANSLATION with EOPNOTSUPP and supports CHANGE_PD and CHANGE_ACCESS only."),
    MR_69("A.7", TYPES, "rereg_mr with CHANGE_PD and no PD fails with -1 and EINVAL."),
    MR_70("A.8", RC, "reg_mr for implicit on-demand paging (address 0, length SIZE_MAX, ON_DEMAND) gives NULL with EOPNOTSUPP where MR-05 does."),
    MR_71("A.8", CHOICES, "RELAXED_ORDERING: WRITEs are placed in any order, also of the same bytes. Completions cover them, atomics keep order. UNORDERED: READs may pass them."),
    MR_72("A.8", TYPES, "advise_mr returns EOPNOTSUPP on a device that has no on-demand paging."),
    MR_73("A.8", TYPES, "On a device with on-demand paging an MR with ON_DEMAND serves all operations that query_device_ex names for the transport."),
    MR_74("A.8", TYPES, "advise_mr of ranges in ODP MRs returns 0; bad flags EINVAL, other keys ENOENT, another PD or writing without LOCAL_WRITE EPERM, out of range EFAULT."),
    MR_75("A.8", TYPES, "alloc_null_mr gives an MR with an lkey alone and of any address: what is written to it is dropped, what is read is 0; unsupported gives EOPNOTSUPP."),
    MR_76("A.8", TYPES, "A null MR is deregistered as any; rereg_mr of it gives -1 with EINVAL, bind_mw of type 1 EOPNOTSUPP and BIND_MW MW_BIND_ERR."),
    DM_01("A.9", TYPES, "alloc_dm of length 0, above max_dm_size or aligned beyond a page gives EINVAL, of more than is left ENOMEM, on a device without such memory EOPNOTSUPP."),
    DM_02("A.9", TYPES, "New device memory holds zeros; memcpy_to_dm and memcpy_from_dm of a range outside it give EFAULT and copy nothing."),
    DM_03("A.9", TYPES, "reg_dm_mr needs ZERO_BASED and a range inside the device memory, else EINVAL; the MR names bytes from 0, takes all rights and serves all operations."),
    DM_04("A.9", TYPES, "free_dm gives EBUSY while an MR lies on the device memory, ENOENT if freed before; rereg_mr of such an MR gives -4 with EOPNOTSUPP and leaves it as it is."),
    MW_01("B.1", WINDOW, "A type 1 window serves every QP of its PD, a 2A window only the QP it names, a 2B window that QP and only on the same PD."),
    MW_02("B.1", WINDOW, "The device offers type 2 as none, 2A or 2B, never both; alloc_mw knows only TYPE_1 and TYPE_2, and the default device is 2B."),
    MW_03("B.1", WINDOW, "alloc_mw gives NULL: EOPNOTSUPP for a type not offered, EINVAL or EOPNOTSUPP for a value other than 1 and 2, ENOMEM above max_mw."),
    MW_04("B.1", WINDOW, "A fresh window grants nothing: type 1 is Valid with length 0, type 2 is Free, and non-zero access with its rkey gives REM_ACCESS_ERR."),
    MW_05("B.1", WINDOW, "A window keeps the PD it was allocated on busy until dealloc_mw."),
    MW_06("B.1", WINDOW, "dealloc_mw returns 0 in every state, also bound and with its QP gone; it frees the MR, and later access gives REM_ACCESS_ERR."),
    MW_07("B.1", WINDOW, "Once dealloc_mw has returned, no byte is touched through the window; a peer caught in mid-access ends REM_ACCESS_ERR."),
    MW_08("B.1", WINDOW, "The rkey of a deallocated window is unknown, and its index returns only with another variant."),
    MW_10("B.2", WINDOW, "ibv_bind_mw on a window that is not type 1 returns EINVAL and posts nothing."),
    MW_11("B.2", WINDOW, "ibv_bind_mw without an MR but with a non-zero address or length returns EINVAL."),
    MW_12("B.2", WINDOW, "ibv_bind_mw with window and MR on different PDs returns EPERM."),
    MW_13("B.2", WINDOW, "ibv_bind_mw asking for a ZERO_BASED window returns EINVAL."),
    MW_14("B.2", WINDOW, "ibv_bind_mw to a zero-based MR is refused: EINVAL on post, or MW_BIND_ERR under RXE_LIKE; an MR of another kind gives ENOTSUP."),
    MW_15("B.2", WINDOW, "ibv_bind_mw longer than 2 GiB is accepted; an mlx5 profile may answer EOPNOTSUPP."),
    MW_16("B.2", TYPES, "ibv_bind_mw on a QP that is not RC, UC or XRC_SEND returns EINVAL."),
    MW_17("B.2", WINDOW, "ibv_bind_mw on a QP in RESET, INIT or RTR returns EINVAL."),
    MW_18("B.2", WINDOW, "ibv_bind_mw on a full send queue returns ENOMEM."),
    MW_20("B.2", WINDOW, "When ibv_bind_mw is accepted, mw.rkey at once becomes the old key with its low byte plus 1 mod 256; it serves only after the bind ran."),
    MW_21("B.2", WINDOW, "If a type 1 bind fails late, the key now in mw.rkey never works, and the device keeps the former binding under the former rkey."),
    MW_22("B.2", WINDOW, "A bind heeds FENCE and SIGNALED and ignores SOLICITED and INLINE; its CQE has opcode BIND_MW and the WR's wr_id."),
    MW_23("B.2", WINDOW, "A bound type 1 window rebinds from any QP of its PD; old rkey out and new rkey in is one step, with no moment of both or of a mixture."),
    MW_24("B.2", WINDOW, "A type 1 bind of length 0 unbinds: SUCCESS, the rkey advances, the MR is released, and old and new rkey give REM_ACCESS_ERR."),
    MW_25("B.2", WINDOW, "Posting BIND_MW through post_send for a type 1 window returns EINVAL; a type 2 window given to ibv_bind_mw also returns EINVAL."),
    MW_26("B.2", WINDOW, "A type 1 bind runs in its place in the send queue; what fails after posting appears as its CQE."),
    MW_30("B.3", WINDOW, "A type 2 bind yields the rkey made of the window's upper 24 bits and the WR's lower 8; the WR's upper bits are ignored without error."),
    MW_31("B.3", WINDOW, "post_send leaves mw.rkey as it was on a type 2 bind; the consumer learns the effective rkey from the API."),
    MW_32("B.3", WINDOW, "Binding a type 2 window that is already Valid gives MW_BIND_ERR and QP ERR, and the existing binding stays in force."),
    MW_33("B.3", WINDOW, "After an invalidate, a type 2 window may be bound again with the same low byte (a strict profile: MW_BIND_ERR)."),
    MW_34("B.3", WINDOW, "Two windows bound with the same low byte have different rkeys, since their indices differ."),
    MW_35("B.3", WINDOW, "A successful type 2 bind ties the window to the QP that ran it, and for 2B to that QP's PD."),
    MW_40("B.4", WINDOW, "A bind that names a window the device does not know gives MW_BIND_ERR."),
    MW_41("B.4", WINDOW, "By default a bind does not compare the rkey carried in the WR with the window's current one; the window is found by its handle."),
    MW_42("B.4", WINDOW, "A bind of non-zero length whose MR lkey is not registered gives MW_BIND_ERR."),
    MW_43("B.4", WINDOW, "A bind whose window access holds a flag unfit for windows, MW_BIND included, gives MW_BIND_ERR."),
    MW_44("B.4", WINDOW, "A type 1 bind passes only if the window is Valid and ZERO_BASED is not asked; else MW_BIND_ERR."),
    MW_45("B.4", WINDOW, "A type 2 bind passes only if the window is Free; else MW_BIND_ERR."),
    MW_46("B.4", WINDOW, "A bind through a QP on another PD than the window's gives MW_BIND_ERR."),
    MW_47("B.4", WINDOW, "A type 2 bind with no MR or with length 0 gives MW_BIND_ERR."),
    MW_48("B.4", WINDOW, "A bind gives MW_BIND_ERR unless MR, window and QP share one PD."),
    MW_49("B.4", WINDOW, "A bind to a zero-based MR gives MW_BIND_ERR (a profile may take it, addressed in iova space)."),
    MW_50("B.4", WINDOW, "A bind to an MR registered without MW_BIND gives MW_BIND_ERR."),
    MW_51("B.4", WINDOW, "A window with REMOTE_WRITE or REMOTE_ATOMIC over an MR without LOCAL_WRITE gives MW_BIND_ERR."),
    MW_52("B.4", WINDOW, "A bind range that leaves the MR's iova range, or that overflows 64 bits, gives MW_BIND_ERR, for zero-based windows too."),
    MW_53("B.4", WINDOW, "A bind succeeds whatever the QP's own access flags; they count only when the peer accesses."),
    MW_54("B.4", WINDOW, "MW_BIND alone lets an MR carry a REMOTE_READ window, MW_BIND with LOCAL_WRITE a write or atomic one; the MR's remote flags are not needed."),
    MW_55("B.4", WINDOW, "A bind with access 0 succeeds and then refuses all non-zero access with REM_ACCESS_ERR; LOCAL_WRITE on a window changes nothing."),
    MW_56("B.4", WINDOW, "A bind that asks for rights its MR cannot back gives MW_BIND_ERR; a tolerant test also takes LOC_QP_OP_ERR or WR_FLUSH_ERR."),
    MW_57("B.4", WINDOW, "A bind range that starts one byte before or ends one byte after the MR gives MW_BIND_ERR."),
    MW_58("B.4", WINDOW, "A bind naming a closed MR or MW handle returns EINVAL on post; a raw WR with a stale lkey gives MW_BIND_ERR."),
    MW_59("B.4", WINDOW, "A mix of PDs among window, MR and QP gives EPERM or MW_BIND_ERR for type 1 and MW_BIND_ERR for type 2."),
    MW_60("B.4", WINDOW, "A bind on a QP in ERR is accepted and flushed with WR_FLUSH_ERR, window unchanged, though ibv_bind_mw has advanced mw.rkey."),
    MW_61("B.4", WINDOW, "A bind posted in SQD waits and runs after the return to RTS."),
    MW_62("B.4", WINDOW, "Windows of all types may overlap without limit; each key, and the MR's own rkey, is judged by its own rights."),
    MW_63("B.4", WINDOW, "A bind sends no packet and uses no PSN."),
    MW_64("B.4", WINDOW, "A window begins and ends at the exact bytes asked for, without rounding to pages."),
    MW_70("B.5", WINDOW, "A peer may use the new rkey once the bind's CQE is polled, or when it came in a SEND or WRITE queued behind the bind on the same QP."),
    MW_71("B.5", WINDOW, "A SEND posted behind a bind that fails is flushed, so the key in it never reaches the peer."),
    MW_72("B.5", RC, "inc_rkey adds 1 to the low byte modulo 256 and keeps the upper 24 bits."),
    MW_80("B.6", WINDOW, "LOCAL_INV with the full rkey on the QP of a Valid type 2 window ends SUCCESS; the window is Free, its MR released, the key dead at once."),
    MW_81("B.6", WINDOW, "A LOCAL_INV that may not proceed gives an error CQE even if unsignaled (default MW_BIND_ERR), QP ERR, and an unchanged window."),
    MW_82("B.6", WINDOW, "LOCAL_INV of a window that is already Free gives MW_BIND_ERR (a profile may give SUCCESS) and never revives a key."),
    MW_83("B.6", WINDOW, "LOCAL_INV of a user MR's key fails as MW-81 says, and the MR stays registered."),
    MW_84("B.6", WINDOW, "SEND_WITH_INV invalidates after the data is placed and before the RECV CQE, which is SUCCESS with WITH_INV alone and invalidated_rkey set."),
    MW_85("B.6", WINDOW, "SEND_WITH_INV of a key not bound to the receiving QP: RECV CQE in error, responder ERR, no NAK or ACK; the sender ends RETRY_EXC_ERR."),
    MW_86("B.6", WINDOW, "Data of a SEND_WITH_INV whose invalidation fails may already lie in the RECV buffer."),
    MW_87("B.6", WINDOW, "SEND_WITH_INV without a RECV gets RNR NAKs and ends RNR_RETRY_EXC_ERR; the window stays Valid."),
    MW_88("B.6", WINDOW, "SEND_WITH_INV of zero bytes with no SGE invalidates the window."),
    MW_89("B.6", WINDOW, "A duplicate SEND_WITH_INV is acknowledged again and invalidates nothing, also when the window was bound again with the same key."),
    MW_90("B.6", TYPES, "SEND_WITH_INV on a UC or UD QP returns EINVAL on post."),
    MW_91("B.6", WINDOW, "A sender needs no window for SEND_WITH_INV, but MEM_MGT_EXTENSIONS; its IETH rides only on opcodes 0x16 and 0x17."),
    MW_92("B.6", WINDOW, "An access under way when its key dies completes or fails with a prefix done; after the invalidating CQE is visible no byte is touched."),
    MW_93("B.6", WINDOW, "Access with an invalidated key ends REM_ACCESS_ERR, and the window owner's QP goes to ERR with EV QP_ACCESS_ERR."),
    MW_94("B.6", WINDOW, "A type 2 window whose QP is in ERR stays bound yet unreachable; after the QP's RESET only dealloc_mw frees it (a profile may keep it)."),
    MW_95("B.6", WINDOW, "destroy_qp with a bound window: 2B allowed, window unreachable, dealloc_mw only; 2A EBUSY; type 1 allowed, other QPs of the PD keep access."),
    MW_96("B.6", WINDOW, "No QP of another PD gains access through a 2A window by way of a recycled QP number."),
    MW_100("B.7", WINDOW, "Access without the matching right in the responder's qp_access_flags gives NAK invalid request: REM_INV_REQ_ERR."),
    MW_101("B.7", WINDOW, "An atomic at an address not divisible by 8 gives REM_INV_REQ_ERR before any key is looked at."),
    MW_102("B.7", WINDOW, "An rkey that does not match a live key in all 32 bits gives REM_ACCESS_ERR."),
    MW_103("B.7", WINDOW, "Access through a type 1 or 2B window on another PD than the responder QP's gives REM_ACCESS_ERR."),
    MW_104("B.7", WINDOW, "Access through a 2A or 2B window on another QP than the one it is bound to gives REM_ACCESS_ERR."),
    MW_105("B.7", WINDOW, "Access through a window that is not Valid, or has length 0, gives REM_ACCESS_ERR."),
    MW_106("B.7", WINDOW, "Access beyond the window's rights gives REM_ACCESS_ERR; the MR's remote flags play no part."),
    MW_107("B.7", WINDOW, "Access outside the window gives REM_ACCESS_ERR even inside its MR; a zero-based window counts addresses from 0."),
    MW_108("B.7", WINDOW, "Access through an orphaned window, its MR deregistered, gives REM_ACCESS_ERR and touches no memory."),
    MW_109("B.7", WINDOW, "A zero-length access with any window key, be it unbound, dead or out of range, ends SUCCESS."),
    MW_110("B.7", WINDOW, "The key of a multi-packet WRITE is checked for the whole RETH range on First; later payload beyond that length gives NAK invalid request."),
    MW_111("B.7", WINDOW, "A window's rkey used as an lkey gives LOC_PROT_ERR."),
    MW_112("B.7", WINDOW, "An atomic through a window passes only if the window has REMOTE_ATOMIC; else REM_ACCESS_ERR."),
    MW_113("B.7", TYPES, "Through a window ATOMIC_WRITE needs REMOTE_WRITE and FLUSH needs the FLUSH right asked for."),
    MW_120("B.8", NETWORKDIRECT, "An ND2 window starts invalidated, binds to one QP at a time, may overlap others, and after Invalidate may go to another QP or region."),
    MW_130("B.9", OUT, "iWARP windows: STag checks that tear down the stream by Terminate and report no REM_ACCESS_ERR (only InfiniBand and RoCE rules are modelled)."),
    KEY_01("C", RC, "A key is 24 bits of index above 8 bits of variant; the device chooses both, save that the consumer picks a type 2 window's variant."),
    KEY_02("C", RC, "inc_rkey follows MW-72; updating a fast-register key, which kernels alone do, is not offered."),
    KEY_03("C", WINDOW, "MRs and windows draw from disjoint index ranges, so the index alone tells which of them a key names."),
    KEY_04("C", RC, "Every access compares all 32 key bits: a neighbouring variant or index, 0 and 0xffffffff give REM_ACCESS_ERR."),
    KEY_05("C", RC, "KEY-P1 to KEY-P7 hold after every step of any sequence of registrations, binds, invalidations and releases."),
    KEY_P1("C", RC, "No two live keys are equal, lkeys and rkeys of MRs and windows taken together."),
    KEY_P2("C", RC, "After rebind, invalidate, dereg_mr or dealloc_mw the old key fails for every non-zero length from then on."),
    KEY_P3("C", RC, "A key the device generates does not come back on its index before 255 other variants were used; the 256th type 1 bind wraps to the first."),
    KEY_P4("C", WINDOW, "The effective low byte of a type 2 rkey is the one asked for, for each of the 256 values."),
    KEY_P5("C", RC, "An object on a recycled index has another key than the last one of that index."),
    KEY_P6("C", RC, "Under the random key policy the order of indices cannot be foreseen, while every other key property holds."),
    KEY_P7("C", RC, "Index 0 is never issued, so keys 0 to 0xff always fail."),
    KEY_06("C", WINDOW, "alloc_mw may return an rkey with a non-zero low byte, and a type 2 bind replaces it."),
    KEY_07("C", RC, "Keys belong to one device: an equal number on another device names nothing of the first."),
    KEY_08("C", WINDOW, "A type 1 bind that fails late leaves mw.rkey one further; the next bind counts on from there and works, with stale keys refused."),
    QP_01("D.1", RC, "A new QP is in RESET with a 24-bit number other than 0 and 1."),
    QP_02("D.1", RC, "Granted QP capacities are at least those asked and within device limits; a request above them gives NULL with EINVAL, max_send_wr 0 is legal."),
    QP_03("D.1", RC, "max_inline_data above the limit gives EINVAL; otherwise the granted value is at least the one asked."),
    QP_04("D.1", RC, "create_qp with a dead CQ or SRQ or an unknown qp_type gives NULL with ENOENT or EINVAL; with an SRQ the receive capacities read 0."),
    QP_05("D.1", RC, "query_qp works in every state, ERR included, and reports state, attributes and capacities; on a destroyed QP it gives ENOENT."),
    QP_06("D.1", RC, "destroy_qp works in any state, drops outstanding WRs with no CQE and purges the QP's CQEs; unacknowledged events of the QP give EBUSY."),
    QP_07("D.1", RC, "A peer still sending to a destroyed QP ends RETRY_EXC_ERR."),
    QP_08("D.1", RC, "A QP number comes back only after the whole 24-bit space was walked."),
    QP_09("D.1", TYPES, "query_qp_data_in_order answers 1 where bytes are placed in order and 0 where placement is relaxed."),
    QS_01("D.2", RC, "modify_qp to a state the table does not list gives EINVAL and changes nothing."),
    QS_02("D.2", RC, "modify_qp without an attribute that the transition requires gives EINVAL."),
    QS_03("D.2", RC, "modify_qp with an attribute that the transition neither requires nor allows gives EINVAL."),
    QS_04("D.2", RC, "A failed modify_qp changes nothing: query_qp shows the former values."),
    QS_05("D.2", RC, "CUR_STATE takes only RTR, RTS, SQD or SQE and must equal the actual state; else EINVAL."),
    QS_06("D.2", RC, "An RC or XRC QP never enters SQE; a send error takes it straight to ERR."),
    QS_07("D.2", RC, "modify_qp from RESET to ERR succeeds; EINVAL under resetToErrRefused."),
    QS_08("D.2", RC, "RTR to SQD, INIT to RTS, RESET to RTR, RTS to RTR and RTS to INIT give EINVAL."),
    QS_09("D.2", TYPES, "Address vector, timeout and their like change only in SQD and only after draining ended; before that modify_qp gives EINVAL."),
    QS_10("D.2", TYPES, "PATH_MIG_STATE is accepted only where an alternate path is loaded."),
    QV_01("D.2", RC, "timeout above 31 gives EINVAL."),
    QV_02("D.2", RC, "retry_cnt or rnr_retry above 7, or min_rnr_timer above 31, gives EINVAL."),
    QV_03("D.2", RC, "path_mtu outside 1..5 or above the port's active MTU gives EINVAL."),
    QV_04("D.2", RC, "max_rd_atomic or max_dest_rd_atomic above the device limit gives EINVAL; query_qp shows at least the value asked."),
    QV_05("D.2", RC, "sq_psn and rq_psn are taken modulo 2^24."),
    QV_06("D.2", RC, "port_num outside 1..phys_port_cnt gives EINVAL."),
    QV_07("D.2", RC, "pkey_index outside the table gives EINVAL."),
    QV_08("D.2", RC, "qp_access_flags takes REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC; LOCAL_WRITE and the like are tolerated without effect."),
    QV_09("D.2", RC, "dest_qp_num wider than 24 bits gives EINVAL."),
    QV_10("D.2", RC, "On a RoCE port an address vector with is_global 0 gives EINVAL."),
    QV_11("D.2", TYPES, "A privileged Q_Key (top bit set) without privilege gives EPERM or EINVAL."),
    QV_12("D.2", RC, "A QP connected to its own number works."),
    QV_13("D.2", RC, "In RTR an address vector of another port than the QP's gives EINVAL; in SQD the port of the vector becomes the QP's, whose packets go by it from then on."),
    QV_14("D.2", TYPES, "A datagram by an address handle of another port than its QP's fails with LOC_QP_OP_ERR."),
    QP_20("D.3", RC, "post_send in RESET, INIT or RTR gives EINVAL with bad_wr at the first WR (a profile may drop or defer instead)."),
    QP_21("D.3", RC, "post_recv in RESET gives EINVAL; in INIT it is accepted and the buffer serves from RTR on."),
    QP_22("D.3", RC, "Entering ERR completes every queued or unfinished WR with WR_FLUSH_ERR in queue order, signaled or not; only the culprit has its own status."),
    QP_23("D.3", RC, "A post in ERR returns 0, and each WR yields exactly one CQE with WR_FLUSH_ERR, unsignaled ones too."),
    QP_24("D.3", RC, "Entering RESET empties the queues without CQEs, forgets PSNs and attributes and purges the QP's CQEs; the QP can be brought up again."),
    QP_25("D.3", TYPES, "QP_LAST_WQE_REACHED comes for a QP with SRQ in ERR once it takes no more SRQ WQEs; untaken WQEs stay in the SRQ."),
    QP_26("D.3", TYPES, "In SQD started WRs finish and later ones wait; with EN, SQ_DRAINED comes exactly once, at once for an idle queue, and sq_draining reads 0."),
    QP_27("D.3", RC, "The first valid packet in RTR raises COMM_EST once; in RTS it is never raised."),
    QP_28("D.3", RC, "Requests to a QP in RESET, INIT or ERR are dropped: RETRY_EXC_ERR, unless the target reaches RTR while retries remain (RESET, INIT)."),
    QP_29("D.3", RC, "A QP's ERR sends nothing to its peer, and a broken carrier is packet loss: only outstanding requests end RETRY_EXC_ERR, an idle QP stays RTS."),
    QP_30("D.3", RC, "A bad lkey of one's own takes only the own QP to ERR; the peer's QP stays RTS."),
    WR_01("E.1", RC, "An opcode its QP type does not have gives EINVAL with bad_wr (a profile may complete it LOC_QP_OP_ERR); posts to XRC_RECV give EINVAL."),
    WR_10("E.2", RC, "Of a chain with a bad WR, those before it are posted, bad_wr names it, and those behind it are not posted."),
    WR_11("E.2", RC, "num_sge above the granted limit gives EINVAL; posting to a full SQ, RQ or SRQ gives ENOMEM."),
    WR_12("E.2", RC, "Work requests and SGE lists may be reused as soon as the post returns; data buffers only after completion, unless INLINE."),
    WR_13("E.2", TYPES, "post_recv on a QP that has an SRQ gives EINVAL."),
    WR_14("E.2", RC, "An unsignaled WR holds its SQ slot until a later CQE of that SQ is polled; a queue of only unsignaled WRs ends in ENOMEM for good."),
    WR_15("E.2", RC, "An RQ slot is free again when its CQE is generated; portable tests rely only on its being free after the poll."),
    WR_16("E.2", RC, "sq_sig_all makes every WR signaled; without it an unsignaled success gives no CQE, while an error always gives one."),
    WR_17("E.2", RC, "Message length is the sum of the SGE lengths; above 2^31 the post gives EINVAL."),
    WR_18("E.2", RC, "Posts from several threads on one QP are each atomic: no WR is lost, doubled or torn."),
    WR_20("E.3", RC, "FENCE acts on RC as ORD-19 says and is ignored on other types."),
    WR_21("E.3", RC, "SOLICITED on SEND or WRITE_WITH_IMM sets SE on the last or only packet, and matters only to a CQ armed for solicited completions."),
    WR_22("E.3", RC, "INLINE on SEND and WRITE copies at post and ignores the lkey; above max_inline_data, or on READ or an atomic, it gives EINVAL."),
    WR_23("E.3", RC, "imm_data arrives as the same four bytes that were posted."),
    WR_30("E.4", RC, "A SEND takes one RECV, fills its SGEs in order, sets byte_len to the message length and leaves the buffer's tail alone."),
    WR_31("E.4", RC, "RDMA_WRITE takes no RECV; WRITE_WITH_IMM takes one, leaves its SGEs alone, reports RECV_RDMA_WITH_IMM and bytes written; none posted: RNR at Last."),
    WR_32("E.4", RC, "RDMA_READ fills SGEs with LOCAL_WRITE; a zero-length READ is legal and uses one PSN and one responder resource."),
    WR_33("E.4", RC, "READs and atomics beyond max_rd_atomic wait with all behind them (0: LOC_QP_OP_ERR); beyond the peer's max_dest_rd_atomic: REM_INV_REQ_ERR."),
    WR_34("E.4", RC, "An atomic whose SGEs do not total 8 bytes gives LOC_LEN_ERR and changes nothing; a split that totals 8 works."),
    WR_35("E.4", RC, "An atomic at an address not divisible by 8 gives REM_INV_REQ_ERR, also with bad keys; both QPs go to ERR, EV QP_ACCESS_ERR at the responder."),
    WR_36("E.4", RC, "CAS returns the prior value and stores only on equality; FETCH_ADD wraps at 64 bits; values in memory are in native byte order."),
    WR_37("E.4", RC, "RDMA atomics of one device are atomic to each other and, where ATOMIC_GLOB is reported, to CPU atomics on the same word."),
    WR_38("E.4", RC, "An atomic needs REMOTE_ATOMIC on the MR or window and in qp_access_flags."),
    WR_39("E.4", WINDOW, "LOCAL_INV and BIND_MW ignore SGEs and remote fields in their WR."),
    WR_40("E.4", TYPES, "A UD send longer than the path MTU gives LOC_LEN_ERR (a profile may give SUCCESS and send nothing)."),
    WR_41("E.4", TYPES, "A UD send whose AH is on another PD gives LOC_QP_OP_ERR; remote_qkey with its top bit set stands for the QP's own Q_Key."),
    WR_42("E.4", RC, "A SEND without SGEs is a legal message of 0 bytes; the RECV CQE shows byte_len 0."),
    WR_43("E.4", RC, "Overlapping RECV SGEs and racing targets leave undefined bytes inside those buffers, and no error and no crash."),
    WR_44("E.4", RC, "A WR of a batch sees the memory that earlier WRs of the batch changed, as the ordering rules promise."),
    ORD_01("F.1", RC, "An ordered pair orders effects: a READ after a WRITE sees it, a WRITE after a SEND wins over its scatter; CPU readers get nothing before a CQE."),
    ORD_02("F.1", CHOICES, "An unfenced WR after a READ or atomic may run before that one's result has landed locally and, for a READ, before it was executed."),
    ORD_10("F.2", RC, "CQEs of one SQ appear in post order, and a SUCCESS implies that every earlier WR, unsignaled ones too, succeeded."),
    ORD_11("F.2", RC, "A request behind a SEND, WRITE or atomic of the same QP takes effect at the responder after it."),
    ORD_12("F.2", RC, "READs of one QP are executed at the responder in post order."),
    ORD_13("F.2", CHOICES, "An unfenced SEND, WRITE, atomic or bind may take effect before an earlier READ that is not yet complete."),
    ORD_14("F.2", RC, "A fenced SEND or WRITE gathers what earlier READs and atomics delivered; unfenced it may not, and inline bytes stay those of the post."),
    ORD_15("F.2", RC, "Gather precedes effect and effect precedes CQE; an RC CQE waits for the acknowledgement of the message as a whole."),
    ORD_16("F.2", WINDOW, "A bind takes effect before any later WR starts and never ahead of earlier SENDs or WRITEs."),
    ORD_17("F.2", WINDOW, "A LOCAL_INV takes effect before any part of a later WR, fenced or not."),
    ORD_18("F.2", WINDOW, "A LOCAL_INV with FENCE waits until all earlier WRs are complete; without it, relaxed mode may run it earlier, strict mode waits."),
    ORD_19("F.2", RC, "A fenced WR starts only after all earlier READs and atomics of its SQ are complete; it does not wait for ACKs of SENDs or WRITEs.",
            "stated: 10.8.3.3 of the InfiniBand specification; in conflict with the draft rdma-core#1780, where it waits until all prior requests have completed"),
    ORD_20("F.2", RC, "WRs start strictly in post order: one held by its fence or by max_rd_atomic holds back all behind it."),
    ORD_21("F.2", CHOICES, "Work on different QPs, or in opposite directions, has no order between it."),
    ORD_22("F.2", RC, "Entries of different queues interleave freely in a shared CQ while each queue keeps its own order; two CQs of a QP have no order."),
    ORD_30("F.3", RC, "A QP without SRQ takes and completes its RECVs in message order."),
    ORD_31("F.3", RC, "A WRITE's data is in host memory when a RECV CQE of a later SEND of its QP, or of its own or a later WRITE_WITH_IMM of its QP, is polled at the target."),
    ORD_32("F.3", CHOICES, "The RECV CQE of an unfenced SEND does not show that the sender's earlier READs were executed."),
    ORD_33("F.3", RC, "After a WRITE's CQE a READ on that QP sees its data; the CQE promises nothing about persistence."),
    ORD_34("F.3", CHOICES, "Written, received or read data may be visible before any CQE, in any order, and more than once."),
    ORD_35("F.3", CHOICES, "A source buffer changed before its CQE delivers old, new or mixed bytes and no error."),
    ORD_36("F.3", RC, "Responses and NAKs leave in PSN order; no ACK runs ahead of the response to an earlier request."),
    ORD_37("F.3", RC, "Atomics of several QPs on one word take effect in some serial order; an aligned 8-byte word is never torn."),
    ORD_38("F.3", CHOICES, "RELAXED_ORDERING gives up the order in which WRITEs are seen, also of the same bytes; completion after data and the order of atomics remain."),
    ORD_39("F.3", CHOICES, "A SEND_WITH_INV may overtake an earlier unfenced READ, which then ends REM_ACCESS_ERR; it never overtakes SENDs, WRITEs or atomics."),
    ORD_40("F.3", CHOICES, "A READ fetches by aligned 8-byte words in any order; CPU stores between them show as a mixture, never as a torn word."),
    N1("F.4", CHOICES, "A READ may fetch after later unfenced WRITEs, SENDs or atomics of its QP took effect."),
    N2("F.4", CHOICES, "A SEND may gather a buffer before the earlier READ or atomic that fills it has delivered."),
    N3("F.4", CHOICES, "Bytes and packets of a message may be placed in any order, and a failed message may leave part of them for good."),
    N4("F.4", CHOICES, "ACKs and CQEs may be late, merged or delivered in bulk, while later WRs have already run."),
    N5("F.4", CHOICES, "An unfenced LOCAL_INV may run before earlier WRs are complete."),
    N6("F.4", CHOICES, "Work and completions of different QPs may interleave in any way."),
    N7("F.4", CHOICES, "A remote access caught by invalidate, dereg_mr or rebind succeeds wholly or fails with a prefix placed."),
    N8("F.4", CHOICES, "A WR reported WR_FLUSH_ERR or RETRY_EXC_ERR may have been executed at the responder."),
    N9("F.4", CHOICES, "A packet that was not yet accepted may bring newer source bytes when resent; an accepted one is never placed again."),
    N10("F.4", CHOICES, "When local and remote keys of a READ or atomic are both bad, either error may be the one reported."),
    N11("F.4", CHOICES, "COMM_EST may come after the first RECV CQE, or not at all before RTS."),
    N12("F.4", CHOICES, "Several completion events of a CQ may merge into one, and an event may come with nothing left to poll."),
    N13("F.4", CHOICES, "A resent READ fetches again, so its result may join older and newer bytes."),
    N14("F.4", CHOICES, "Key values, QP numbers and the reuse of indices are free within the key rules."),
    N15("F.4", CHOICES, "The number of RNR NAKs and the wait beyond the RNR timer are not bounded above."),
    N16("F.4", CHOICES, "On errors that belong to no RECV, such as a bad rkey of WRITE_WITH_IMM, a RECV may or may not be taken."),
    N17("F.4", CHOICES, "The effective timeout may be up to four times its nominal value."),
    N18("F.4", CHOICES, "A gather goes by elements and aligned words, the fetch of a READ by aligned words, other things between them."),
    LT_01("F.5", CHOICES, "WRITE x=1 then READ x never returns 0."),
    LT_02("F.5", CHOICES, "READ x then WRITE x=1, unfenced, returns 0 or 1."),
    LT_03("F.5", CHOICES, "READ x then fenced WRITE x=1 returns 0."),
    LT_04("F.5", CHOICES, "WRITE x=1 then SEND: a receiver that polled the RECV CQE reads x as 1."),
    LT_05("F.5", CHOICES, "WRITE x=1 then WRITE y=1: a CPU that sees y=1 may read x as 0 or 1; canonical choices give 1."),
    LT_06("F.5", CHOICES, "WRITE x=1 then WRITE_WITH_IMM y=1: after the immediate's CQE x and y are both 1."),
    LT_07("F.5", CHOICES, "READ x into r then unfenced SEND of r delivers the old or the new r."),
    LT_08("F.5", CHOICES, "READ x into r then fenced SEND of r delivers the new r."),
    LT_09("F.5", CHOICES, "FETCH_ADD x+1 then READ x returns at least the fetched value plus 1."),
    LT_10("F.5", CHOICES, "READ x then unfenced FETCH_ADD x+1 returns 0 or 1."),
    LT_11("F.5", CHOICES, "Of two READs of a cell that another writer only increments, the second is never below the first."),
    LT_12("F.5", CHOICES, "READ by k then SEND_WITH_INV k: both SUCCESS, or READ REM_ACCESS_ERR and SEND flushed while the receiver has SUCCESS with WITH_INV, then ERR."),
    LT_13("F.5", CHOICES, "READ by k then fenced SEND_WITH_INV k: both succeed."),
    LT_14("F.5", CHOICES, "Bind k then SEND of k on one QP: the peer's immediate use of k succeeds."),
    LT_15("F.5", CHOICES, "Bind k, k told by another path before the CQE: use of k gives SUCCESS or REM_ACCESS_ERR."),
    LT_16("F.5", CHOICES, "LOCAL_INV k then bind of the same window as k': after the CQE a peer's use of k gives REM_ACCESS_ERR."),
    LT_17("F.5", CHOICES, "WRITE from a buffer then LOCAL_INV of a window over that buffer: the WRITE succeeds."),
    LT_18("F.5", CHOICES, "WRITE x=1 on one QP, READ x on another: 0 or 1; if posted after the WRITE's CQE was polled, 1."),
    LT_19("F.5", CHOICES, "Unsignaled WRITE then signaled SEND: when the SEND's CQE is SUCCESS the WRITE is complete."),
    LT_20("F.5", CHOICES, "Two QPs compare-and-swap one cell from the same value: exactly one wins."),
    LT_21("F.5", CHOICES, "Two unfenced FETCH_ADDs of 1 on one QP return 0 and 1 and leave 2, in relaxed mode too."),
    LT_22("F.5", CHOICES, "READ x then bind or LOCAL_INV of a local window: unfenced, the window may change before the READ is done."),
    LT_23("F.5", CHOICES, "SEND then WRITE into the buffer it scatters to: the WRITE's bytes remain."),
    WC_01("G.1", RC, "In a failed CQE only wr_id, status, qp_num and vendor_err count; a profile may fill the rest with garbage."),
    WC_02("G.1", RC, "A successful CQE gives opcode, wr_id and qp_num, byte_len for READ, atomics (8) and receives, and either imm_data or invalidated_rkey, never both."),
    WC_03("G.1", RC, "Each RECV yields exactly one CQE; each send WR yields one exactly when signaled, failed or flushed."),
    WC_04("G.1", RC, "poll_cq returns 0..n entries without blocking, hands no CQE to two pollers, and fails on a broken CQ."),
    WC_05("G.1", RC, "After the first error of a queue exactly one CQE has the specific status and all later ones have WR_FLUSH_ERR, in order."),
    WC_06("G.1", RC, "Behind a NAKed WR only what had overtaken a READ (ORD-13) took effect; behind an early local error nothing starts, behind a READ's late one it may have."),
    WC_20("G.2", RC, "A SEND longer than the RECV: REM_INV_REQ_ERR at the sender, LOC_LEN_ERR at the receiver (RXE_LIKE: REM_INV_REQ_ERR), both ERR."),
    WC_21("G.2", RC, "A RECV SGE with bad lkey, range, PD or no LOCAL_WRITE: REM_OP_ERR and LOC_PROT_ERR (RXE_LIKE: LOC_QP_OP_ERR), both ERR."),
    WC_22("G.2", RC, "No RECV until RNR retries run out: RNR_RETRY_EXC_ERR, requester ERR; the responder reports nothing and stays as it was."),
    WC_23("G.2", RC, "A WRITE, READ or atomic that fails its rkey check: REM_ACCESS_ERR, no responder CQE, EV QP_ACCESS_ERR, both ERR."),
    WC_24("G.2", RC, "WRITE_WITH_IMM with a bad rkey: REM_ACCESS_ERR; as one packet its RECV ends LOC_ACCESS_ERR with no event, as several no RECV is taken (WC-23)."),
    WC_25("G.2", RC, "An operation outside the responder's qp_access_flags: REM_INV_REQ_ERR, no responder CQE, EV QP_ACCESS_ERR, both ERR."),
    WC_26("G.2", RC, "A misaligned atomic: REM_INV_REQ_ERR, no responder CQE, EV QP_ACCESS_ERR, both ERR."),
    WC_27("G.2", RC, "More READs and atomics at once than the responder has resources for: REM_INV_REQ_ERR, EV QP_ACCESS_ERR, both ERR."),
    WC_28("G.2", RC, "A reserved or out-of-sequence opcode, or a bad length or pad: REM_INV_REQ_ERR, EV QP_REQ_ERR, both ERR; a RECV already taken ends in error."),
    WC_29("G.2", RC, "A bad send-side SGE: LOC_PROT_ERR, requester ERR, responder unmoved in RTS."),
    WC_30("G.2", RC, "A bad READ or atomic result SGE: LOC_PROT_ERR, requester ERR, responder RTS, and the remote effect may have happened."),
    WC_31("G.2", RC, "A malformed send WQE (opcode, inline, AH of another PD) that is found after posting: LOC_QP_OP_ERR, requester ERR."),
    WC_32("G.2", RC, "A local length error, such as an atomic size other than 8, UD above MTU or a READ longer than its SGEs: LOC_LEN_ERR, requester ERR."),
    WC_33("G.2", WINDOW, "A bind that fails its checks: MW_BIND_ERR, QP ERR, nothing at any peer."),
    WC_34("G.2", WINDOW, "A LOCAL_INV that fails: MW_BIND_ERR (a profile may give LOC_QP_OP_ERR), QP ERR."),
    WC_35("G.2", WINDOW, "A failing SEND_WITH_INV: RECV REM_INV_REQ_ERR and responder ERR at once, requester RETRY_EXC_ERR later."),
    WC_36("G.2", RC, "No answer until retry_cnt is used up, whether the peer is dead, wrongly numbered or not ready: RETRY_EXC_ERR, requester ERR."),
    WC_37("G.2", RC, "PSN sequence NAKs beyond retry_cnt: RETRY_EXC_ERR, requester ERR."),
    WC_38("G.2", RC, "A response that does not fit its request: BAD_RESP_ERR (RXE_LIKE: FATAL_ERR for a wrong opcode), requester ERR."),
    WC_39("G.2", RC, "A responder that cannot go on for a reason of its own NAKs remote operational error: REM_OP_ERR, both ERR."),
    WC_40("G.2", RC, "WRs flushed from a queue complete with WR_FLUSH_ERR on either side."),
    WC_41("G.2", OUT, "REM_ABORT_ERR is never produced (it exists only for reliable datagram, which is not modelled)."),
    WC_42("G.2", TYPES, "An unrecoverable device error gives FATAL_ERR or GENERAL_ERR and EV DEVICE_FATAL."),
    WC_43("G.2", OUT, "LOC_EEC_OP_ERR, LOC_RDD_VIOL_ERR, REM_INV_RD_REQ_ERR, INV_EECN_ERR and INV_EEC_STATE_ERR are never produced (reliable datagram only)."),
    WC_44("G.2", OUT, "RESP_TIMEOUT_ERR is never produced (reserved; no known RC device reports it)."),
    WC_45("G.2", RC, "NAK 0x60 makes the requester retry, 0x61 gives REM_INV_REQ_ERR, 0x62 REM_ACCESS_ERR, 0x63 REM_OP_ERR, 0x64 REM_INV_RD_REQ_ERR."),
    WC_46("G.2", RC, "The WR that owns the NAK's PSN fails; older ones complete SUCCESS first, and an older READ without its data is retried first."),
    WC_47("G.2", RC, "RNR and sequence errors leave the responder's state, invalid requests and access errors take it to ERR with a NAK, CQ overrun to ERR unanswered."),
    WC_48("G.2", RC, "LOC_ACCESS_ERR appears only in receive CQEs, for the target of a WRITE_WITH_IMM."),
    WC_49("G.2", RC, "A responder sent to ERR by an incoming request flushes its own SQ and RQ and answers nothing behind the NAK."),
    WC_50("G.2", TYPES, "UC and UD receive errors are never NAKed; the message is dropped and its RECV kept, save that a UC QP with SRQ completes it in error."),
    CQ_01("G.3", RC, "create_cq with cqe below 1 or above max_cqe, or comp_vector out of range, gives NULL with EINVAL; granted cqe is at least the one asked."),
    CQ_02("G.3", TYPES, "resize_cq keeps all CQEs and their order and grants at least what was asked; below the unpolled count, 0 or above the maximum it gives EINVAL."),
    CQ_03("G.3", RC, "CQ overrun raises CQ_ERR, QP_FATAL on every attached QP and ERR for them; poll_cq yields the good CQEs, then fails (not under cqOverrunDropsNewest)."),
    CQ_04("G.3", RC, "One CQ serves send and receive queues of many QPs, each entry naming its own QP."),
    CQ_05("G.3", RC, "Arming a CQ that has no channel returns 0 and does nothing (EINVAL under notifyNeedsChannel)."),
    CQ_06("G.3", TYPES, "A CQ created with timestamps gives each CQE the device clock at its generation, never earlier than the CQE before; unknown fields give EOPNOTSUPP."),
    CQ_07("G.3", TYPES, "modify_cq with a count above 1 and a period holds an event until that many CQEs that it is for or that time; other values hold none, out of range EINVAL."),
    NT_01("G.4", RC, "Arming for any completion fires one event on the next CQE added and then disarms; CQEs already there do not fire."),
    NT_02("G.4", RC, "Arming for solicited only fires when a message with SE is received or any CQE is in error; a send success never fires."),
    NT_03("G.4", RC, "Arming for any and for solicited before firing counts as any, in either order; arming twice gives one event."),
    NT_04("G.4", RC, "A CQ that is not armed raises no event, and each event needs a new arming."),
    NT_05("G.4", RC, "Arming and completing N times with an unread channel queues N events by default; a tolerant test takes 1 to N."),
    NT_06("G.4", RC, "get_cq_event returns CQ and context, blocking or EAGAIN; destroy_cq with unacknowledged events gives EBUSY (a profile may wait instead)."),
    NT_07("G.4", RC, "One channel serves many CQs; acknowledging more events than were received is refused as an illegal state."),
    NT_08("G.4", RC, "SOLICITED on a WRITE without immediate raises no event."),
    AE_01("G.5", RC, "CQ_ERR names the CQ and is raised on its overrun; that CQ is unusable afterwards."),
    AE_02("G.5", RC, "QP_FATAL names a QP whose error no CQE can report, such as CQ overrun; the QP is in ERR."),
    AE_03("G.5", RC, "QP_REQ_ERR is raised at the responder for a reserved or out-of-sequence opcode, with NAK invalid request and ERR."),
    AE_04("G.5", RC, "QP_ACCESS_ERR is raised at the responder for bad rkeys, misaligned or too many atomics and length errors when no RECV can report them."),
    AE_05("G.5", RC, "COMM_EST names the QP that got its first packet in RTR."),
    AE_06("G.5", TYPES, "SQ_DRAINED names the QP that finished draining after RTS to SQD with EN."),
    AE_07("G.5", TYPES, "QP_LAST_WQE_REACHED names a QP with SRQ in ERR that has used its last SRQ WQE."),
    AE_08("G.5", TYPES, "SRQ_LIMIT_REACHED names the SRQ and follows SRQ-04."),
    AE_09("G.5", TYPES, "SRQ_ERR names an SRQ that no longer works."),
    AE_10("G.5", OUT, "PATH_MIG and PATH_MIG_ERR are never raised (automatic path migration is not modelled)."),
    AE_11("G.5", RC, "PORT_ERR and PORT_ACTIVE follow the carrier going down and up; the other port events come only from a test hook."),
    AE_12("G.5", TYPES, "DEVICE_FATAL, raised by a test hook, kills all QPs, and verbs then return EIO."),
    AE_13("G.5", OUT, "WQ_FATAL is never raised (work queue objects are not modelled)."),
    AE_20("G.5", RC, "Async events queue in order of occurrence and are acknowledged once each; destroying an object with unacknowledged ones gives EBUSY."),
    AE_21("G.5", RC, "Requester errors raise no async event; a responder violation shows as a RECV CQE if a RECV was taken, else as an event, never both."),
    AE_22("G.5", RC, "RNR, PSN sequence errors and duplicates raise no async event."),
    HD_01("H.1", RC, "Headers follow in the order BTH, XRCETH, then RETH, AtomicETH or AETH, AtomicAckETH, ImmDt or IETH, payload; FLUSH has FETH before RETH."),
    H3_1("H.3", RC, "Responder validation step 1: bad version, P_Key, QP, state below RTR, source, transport or ICRC drops the packet in silence."),
    H3_2("H.3", RC, "Responder validation step 2: the PSN decides whether a packet is expected, future or duplicate before anything else is read."),
    H3_3("H.3", RC, "Responder validation step 3: First, Middle, Last and Only out of sequence give NAK 0x61."),
    H3_4("H.3", RC, "Responder validation step 4: an unsupported opcode or one that qp_access_flags forbids gives NAK 0x61."),
    H3_5("H.3", RC, "Responder validation step 5: a payload, pad or RETH length that does not fit the opcode and path MTU gives NAK 0x61."),
    H3_6("H.3", RC, "Responder validation step 6: a missing RECV gives RNR NAK, a missing READ or atomic slot NAK 0x61."),
    H3_7("H.3", RC, "Responder validation step 7: misalignment gives NAK 0x61, and after it a failed key check NAK 0x62."),
    H3_8("H.3", RC, "Responder validation step 8: a request takes effect only after steps 1 to 7 passed."),
    H3_9("H.3", RC, "Responder validation step 9: ACK and completion follow the effect."),
    PR_01("H.3", RC, "Of several errors only the first in PSN order is told; once a NAK other than sequence or RNR left, the responder is in ERR and silent."),
    PR_02("H.3", RC, "WRITE_WITH_IMM without a RECV gets RNR before its rkey is judged; SEND needs its RECV at First or Only, WRITE_WITH_IMM at Last or Only."),
    PSN_01("H.4", RC, "At distance d from the expected PSN, modulo 2^24, 0 is expected, 1 to 2^23-1 is future and the rest duplicate."),
    PSN_02("H.4", RC, "Future packets are dropped and draw one NAK 0x60 with the expected PSN, then silence until that PSN comes."),
    PSN_03("H.4", RC, "SEND and WRITE use one PSN a packet, READ max(1, ceil(length/PMTU)), atomics, FLUSH and ATOMIC_WRITE one, bind and LOCAL_INV none."),
    PSN_04("H.4", RC, "The requester keeps fewer than 2^23 PSNs unacknowledged and sets AckReq at the end of a message."),
    PSN_05("H.4", RC, "A QP whose sq_psn differs from the peer's rq_psn ends its requests with RETRY_EXC_ERR."),
    DUP_01("H.5", RC, "A duplicate SEND or WRITE is acknowledged again with the latest PSN; it takes no RECV, changes no memory and checks no rkey."),
    DUP_02("H.5", RC, "A duplicate READ within a saved request reads memory anew with a new rkey check; one that matches none is dropped."),
    DUP_03("H.5", RC, "A duplicate CAS or FETCH_ADD returns the saved result and changes nothing; one no longer saved is dropped."),
    DUP_04("H.5", TYPES, "A duplicate FLUSH may run again; a duplicate ATOMIC_WRITE is only acknowledged again."),
    DUP_05("H.5", RC, "A duplicate that arrives after a NAK was sent has no effect."),
    DUP_06("H.5", RC, "Responder resources are a ring of max_dest_rd_atomic slots that newer requests overwrite; more outstanding at once give NAK 0x61."),
    ACK_01("H.6", RC, "AETH syndromes 0x00-0x1f are ACK with credits, 0x20-0x3f RNR NAK with a timer code, 0x60-0x64 NAK; all others are reserved."),
    ACK_02("H.6", RC, "An ACK covers all requests up to its PSN, save READs and atomics, which only their response completes; one beyond a READ makes it retry."),
    ACK_03("H.6", RC, "A NAK or RNR NAK acknowledges every request before its PSN."),
    ACK_04("H.6", RC, "A packet with AckReq is acknowledged, and only after its request was executed; unasked or merged ACKs are legal."),
    ACK_05("H.6", RC, "MSN starts at 0 and counts completed request messages modulo 2^24, a READ when it is accepted; NAKs carry the current value."),
    ACK_06("H.6", RC, "ACKs carry credit code 0x1f, so the requester is not limited; codes 0 to 30 are read as the credit table says."),
    ACK_07("H.6", RC, "An ACK older than the window is dropped, and a NAK outside the window is ignored."),
    RT_01("H.7", RC, "timeout 0 never fires; n fires between 4.096 us * 2^n and four times that, and starts anew with each ACK that makes progress."),
    RT_02("H.7", RC, "retry_cnt bounds rounds without progress: 0 fails at the first timeout, 7 means seven (for ever under infiniteRetrySeven); progress resets it."),
    RT_03("H.7", RC, "rnr_retry 0 fails at the first RNR NAK, 1..6 allow that many retries, 7 never gives up; progress resets the count."),
    RT_04("H.7", RC, "The requester waits at least the time that the responder's min_rnr_timer code names before it resends from the NAKed PSN."),
    RT_05("H.7", RC, "A retry resends all from the oldest unacknowledged PSN; a READ goes on at its first missing byte with adjusted address and length."),
    RT_06("H.7", RC, "Packets behind a request that met RNR are dropped unanswered and resent after it."),
    RT_07("H.7", RC, "All protocol time comes from an injected clock; with virtual time no test waits."),
    IC_01("H.8", RC, "ICRC is the reflected Ethernet CRC-32, stored little-endian, over eight 0xff bytes and the packet with its mutable fields set to ones."),
    TX_01("H.9", RC, "MTU codes 1 to 5 mean 256, 512, 1024, 2048 and 4096 bytes."),
    UC_01("H.9", TYPES, "UC has no ACK and no retry: a PSN gap drops the message, the next First or Only resumes, the sender succeeds when sent; no right, no effect."),
    UD_01("H.9", TYPES, "A UD RECV begins with 40 bytes of GRH, counted in byte_len, as the sender's handle says; bad Q_Key, QPN or length, or no RECV, drop in silence."),
    SRQ_01("I", TYPES, "create_srq grants at least what was asked, EINVAL above the limits; a full SRQ gives ENOMEM with bad_wr, too many SGEs EINVAL."),
    SRQ_02("I", TYPES, "SRQ WQEs go to messages of any attached QP and complete on that QP's receive CQ with the SRQ's wr_id; a taken one flushes with its QP."),
    SRQ_03("I", TYPES, "A QP in ERR leaves untaken SRQ WQEs alone; an empty SRQ gives RNR on RC and a drop on UD."),
    SRQ_04("I", TYPES, "SRQ_LIMIT_REACHED fires once when the count falls below srq_limit, which then reads 0; a limit above max_wr gives EINVAL."),
    SRQ_05("I", TYPES, "modify_srq MAX_WR without the resize capability gives EINVAL or EOPNOTSUPP, and below the present fill EINVAL."),
    SRQ_06("I", TYPES, "The keys of SRQ buffers are judged as PD-06 says."),
    SRQ_07("I", TYPES, "The First packet of a SEND takes the SRQ WQE; if the QP fails midway that WQE ends in error or flush."),
    SRQ_08("I", TYPES, "query_srq shows the capacities and the current srq_limit, 0 after it fired."),
    XRC_01("I", TYPES, "XRC requests name their SRQ by number and complete on its CQ; XRC_RECV has no queues, keys are held against the SRQ's PD, unknown SRQ is NAKed."),
    CC_01("I", RC, "Completion channels follow NT-01 to NT-08."),
    CC_02("I", RC, "Destroying a CQ waits for, or is refused because of, events got from its channel and not acknowledged."),
    XRC_02("I", TYPES, "A type 1 bind on XRC_SEND works as on RC; a type 2 bind there succeeds, and every access through it gives REM_ACCESS_ERR."),
    NW_01("J", TYPES, "ATOMIC_WRITE places 8 aligned bytes at once under REMOTE_WRITE and uses a READ/atomic slot; a misaligned one gives REM_INV_REQ_ERR."),
    NW_02("J", TYPES, "FLUSH needs the FLUSH right of its placement type, else REM_ACCESS_ERR; its SUCCESS shows that earlier WRITEs to the range reached that domain."),
    NW_03("J", OUT, "Masked and extended atomics are not offered (one vendor's extension, outside the specification)."),
    NW_04("J", RC, "Other unsupported opcodes give EINVAL when posted, and NAK 0x61 with EV QP_REQ_ERR when received."),
    T_01("K.4", WINDOW, "Of two windows with different rights over the same bytes one is revoked; the other keeps working."),
    T_02("K.4", WINDOW, "Across 256 type 1 rebinds each stale key fails when probed, and the key wraps to the first."),
    T_03("K.4", WINDOW, "A duplicate SEND_WITH_INV that arrives after the window was bound again leaves it bound."),
    T_04("K.4", RC, "With ACKs of atomics lost and resent requests, the target is incremented exactly once for each."),
    T_05("K.4", CHOICES, "A READ resent beside a concurrent writer returns only mixtures that refetching permits."),
    T_06("K.4", CHOICES, "Every outcome of the litmus programs, strict and relaxed, satisfies the partial order, checked by a separate model."),
    T_07("K.4", RC, "Each NAK code, when injected, gives its requester status."),
    T_08("K.4", WINDOW, "Over random interleavings of bind, invalidate, release and access, none succeeds that began when the invalidate's CQE was out."),
    T_09("K.4", RC, "Traffic goes on unharmed when the PSN wraps at 2^24."),
    T_10("K.4", RC, "An overrun CQ behaves as CQ-03 says."),
    T_11("K.4", RC, "Send queue slots are accounted as WR-14 says, for every mix of signaled and unsignaled WRs."),
    T_12("K.4", RC, "A loop of arming, polling and waiting under load never misses a completion."),
    T_13("K.4", RC, "Each legal modify_qp mask with one bit flipped gives the result that the transition table states."),
    T_14("K.4", TYPES, "Entering SQD with a READ outstanding drains only when the READ is complete."),
    T_15("K.4", TYPES, "After a QP with an SRQ was flushed the SRQ's untaken WQEs serve other QPs."),
    T_16("K.4", RC, "Atomics at offsets 1 to 7 from alignment each give REM_INV_REQ_ERR."),
    T_17("K.4", RC, "Every zero-length SEND, WRITE and READ succeeds with any key, a dead window's included."),
    T_18("K.4", WINDOW, "A QP with a recycled number has no access to windows bound to its predecessor."),
    T_19("K.4", RC, "dereg_mr against an incoming WRITE of many packets: after it returns the memory does not change."),
    T_20("K.4", TYPES, "With one SRQ and four QPs, WQEs are taken in posting order and each QP completes its own in message order."),
    N_01("N", RC, "After dereg_mr, invalidate or dealloc_mw returned, a sentinel pattern in the memory stays as it is while the peer keeps sending."),
    N_02("N", RC, "A thread that polled a CQE sees all bytes the device placed before it, without other synchronisation."),
    N_03("N", RC, "Memory must be direct: a heap buffer is refused, as its 8-byte atomics cannot be promised."),
    N_04("N", RC, "Keys and QP numbers are unsigned: a key with its top bit set works like any other."),
    N_05("N", RC, "On a link that loses nothing RNR NAKs and error NAKs still occur, and a link that stays broken ends in RETRY_EXC_ERR."),
    N_06("N", RC, "What needs a link that is cut, or a peer that is unknown, silent or crashed, ends in an error with its reason."),
    N_08("N", RC, "Simulations have virtual time, for the programs of their nodes alone: a wait that nothing can end is EDEADLK, one whose time is over ETIMEDOUT."),
    N_09("N", RC, "A refused verb throws VerbsException with its errno; the one for a full queue has no stack trace."),
    N_10("N", RC, "A device's work runs on one lane: a wait on the thread that runs it would block it for ever, and is refused with EDEADLK."),
    TV_01("P", RC, "inc_rkey: 0x00000100 to 0x00000101, 0x000001ff to 0x00000100, 0xffffffff to 0xffffff00, 0x12345678 to 0x12345679."),
    TV_02("P", WINDOW, "Window rkey 0x0000a7c3 bound with WR rkey 0x00000400 becomes 0x0000a700, with 0xdeadbeef 0x0000a7ef."),
    TV_03("P", RC, "Payloads of 0, 1, 2, 3, 4 and 5 bytes have pad counts 0, 3, 2, 1, 0 and 3."),
    TV_04("P", RC, "PSN class for (psn, expected): (5,5) expected, (6,5) and (0,0xffffff) future, (4,5) and (0xffffff,0) duplicate; 2^23-1 ahead future, 2^23 not."),
    TV_05("P", RC, "READs of 0, 1, 1024, 1025, 4096 and 4097 bytes at PMTU 1024 use 1, 1, 1, 2, 4 and 5 PSNs; 4097 bytes from 0xfffffe lead on to 0x000003."),
    TV_06("P", RC, "Timeout codes 1, 8, 14 and 18 are nominally 8.192 us, 1.048576 ms, 67.109 ms and 1.0737 s, and 0 never fires."),
    TV_07("P", RC, "Syndromes: 0x1f ACK without credits, 0x00 credit 0, 0x20 RNR 655.36 ms, 0x2e RNR 1.28 ms, 0x60-0x64 NAKs, 0x40-0x5f and 0x80 up reserved."),
    TV_08("P", RC, "BTH of SEND_ONLY, P_Key ffff, QP 0x11, AckReq, PSN 0x123456 encodes as 0400ffff 00000011 80123456."),
    TV_09("P", RC, "RETH of address 0x7f0000001000, rkey 0x12305, length 100 encodes as 00007f0000001000 00012305 00000064."),
    TV_10("P", RC, "AtomicETH of a CAS, swap 3 and compare 2, at 0x7f0000001008 by rkey 0x12305 encodes swap before compare, 28 bytes in all."),
    TV_11("P", RC, "The reference IPv4 SEND_ONLY packet with payload RDMA ends in ICRC bytes d6 4d 04 0a."),
    TV_12("P", RC, "FETCH_ADD of 2 to 0xffffffffffffffff stores 1 and returns the old value; a CAS that does not match returns the current value unchanged."),
    TV_13("P", TYPES, "A UD send of 16 bytes is received with byte_len 56 and data at offset 40."),
    TV_14("P", TYPES, "Of 100 SRQ WQEs with limit 50, consuming 50 raises no event, the 51st raises one, and the limit then reads 0."),
    TV_15("P", RC, "RESET to INIT without ACCESS_FLAGS or with QKEY added, INIT to RTR without MIN_RNR_TIMER, RTR to RTS without MAX_QP_RD_ATOMIC: EINVAL on RC."),
    TR_1("Q", WINDOW, "Bind 2B, SEND of the key, WRITE of 64 bytes, SEND_WITH_INV: data visible, RECV WITH_INV, window Free, peer's CQEs in order, no event."),
    TR_2("Q", WINDOW, "After TR-1, a WRITE of 1 byte with the old key gives REM_ACCESS_ERR, both ERR, owner's RECVs flushed; one of 0 bytes instead ends SUCCESS."),
    TR_3("Q", WINDOW, "An unsignaled bind to an MR without MW_BIND: MW_BIND_ERR, the SEND and LOCAL_INV behind it flushed, the window Free, the peer unaware."),
    TR_4("Q", WINDOW, "SEND_WITH_INV of a type 1 key: RECV in error, receiver ERR, no packet back, sender RETRY_EXC_ERR by timeout, the window still Valid."),
    TR_5("Q", WINDOW, "Around a type 1 rebind the old key works only before its execution and the new key only after; the CQE parts the two times."),
    TR_6("Q", RC, "With its ACK lost, a FETCH_ADD of 1 is resent and answered from the saved result: memory 1, result 0, SUCCESS."),
    TR_7("Q", RC, "A SEND with rnr_retry 2 and no RECV gets up to three NAKs 0x2e, then RNR_RETRY_EXC_ERR; the receiver stays RTS without event."),
    TR_8("Q", WINDOW, "A READ that arrives after LOCAL_INV of its key gives REM_ACCESS_ERR and takes the owner's QP to ERR with EV QP_ACCESS_ERR."),
    TR_9("Q", RC, "WRITEs good, bad key, good: SUCCESS, REM_ACCESS_ERR, WR_FLUSH_ERR; the first is placed, the third is not."),
    TR_10("Q", RC, "At max_send_wr 4, three unsignaled and one signaled WRITE give one CQE; before it is polled a post gives ENOMEM, after it four slots are free."),
    TR_11("Q", WINDOW, "After destroy_qp under a 2B window its key gives REM_ACCESS_ERR on a QP of the same number, LOCAL_INV fails; dealloc_mw then dereg_mr return 0."),
    TR_12("Q", TYPES, "Entering SQD with EN: the unacknowledged WRITE completes, SQ_DRAINED comes, and the queued WRITEs run only after the return to RTS."),
    MAD_01("R.1", CM, "A management datagram leaves as UD SEND_ONLY from QP 1 to QP 1: Q_Key 0x80010000, P_Key 0xffff, MigReq 0, AckReq 1, rising PSN, 256 bytes."),
    MAD_02("R.1", CM, "At QP 1 another opcode, P_Key or Q_Key, or another length than 256 bytes is dropped in silence and counted; the next good one is taken."),
    MAD_03("R.1", CM, "QP 1 hears limited members too (P_Key 0x7fff) and answers with 0xffff."),
    MAD_04("R.1", CM, "Get and Set of ClassPortInfo are answered by the same datagram with method 0x81 and status 0x000c."),
    MAD_05("R.1", CM, "What is no Send, has another base version, or comes where nobody speaks management datagrams is dropped in silence and counted."),
    MAD_06("R.1", CM, "What waits to be sent from QP 1 is bounded; a datagram beyond that is dropped and its sender is told."),
    MAD_07("R.1", CM, "A way that went away and does not come back within its grace is told to who speaks for QP 1, once; one that comes back is not."),
    MAD_08("R.1", CM, "Datagrams of connection management have the fields, lengths and padding of the formats that Linux uses, byte for byte."),
    MAD_09("R.1", CM, "Where both ends are set so, who got a NAK asks queue pair 1 of its peer why, once, and is told of its own request and key only; else nothing is sent."),
    MAD_10("R.1", CM, "A reason that nobody asked for, or from another peer or with other numbers than asked, and a question about no own request, are dropped and counted."),
    CM_01("R.2", CM, "Connections need a device whose queue pair 1 is to be had: EOPNOTSUPP for another kind of device, EBUSY while somebody else speaks for it."),
    CM_02("R.2", CM, "A service ID is port space x 65536 + port; each port space has its own ports."),
    CM_03("R.2", CM, "The private data of a REQ or SIDR_REQ begins with 36 bytes: version 0, source port, both addresses; the user's follows."),
    CM_04("R.2", CM, "A REQ is checked in order: listener, GID and partition, alternate path, IP header, transport and queue pair, MTU, room."),
    CM_05("R.2", CM, "The flow label of a connection is (source port x 31 + destination port) mod 2^20."),
    CM_06("R.2", CM, "Fetching the peer's answer takes the queue pair to RTS and sends the RTU; without a queue pair it is CONNECT_RESPONSE, and establish sends it."),
    CM_07("R.2", CM, "The side that asks does in each state what Linux does about each message, timeout and call."),
    CM_08("R.2", CM, "So does the side that is asked; a request whose peer gave up cannot be accepted (ECONNABORTED)."),
    CM_09("R.2", CM, "A message for no connection is not answered, but a REQ (REJ) and a DREQ (DREP)."),
    CM_10("R.2", CM, "A REQ with the GUID and number of a live connection is a repeat, whatever else it says; while the application decides it gets an MRA."),
    CM_11("R.2", CM, "A REQ or REP with the GUID and queue pair of another live connection is refused (10), and ends that connection."),
    CM_12("R.2", CM, "Unanswered messages are repeated byte for byte at a constant interval, as often as agreed; an MRA lengthens it; TIMEWAIT lasts an ACK timeout."),
    CM_13("R.2", CM, "A copy, byte for byte, of a REQ that was answered for good a short while ago is refused again or passes in silence; it is no new request."),
    CM_15("R.2", CM, "Each event has its status, its parameters, and private data padded to the size of the message's field."),
    CM_17("R.2", CM, "A request that finds the backlog full is lost without a word, and its repeat may find room."),
    CM_18("R.2", CM, "REQ and REP decide what the queue pair gets: path, peer, PSNs, depths, timeouts, rights; one that does not fit is refused."),
    CM_19("R.2", CM, "Depths and retry counts have ranges; MAX is as asked, at most what the device has; each side uses the other's numbers."),
    CM_20("R.2", CM, "Private data is at most 56 bytes to connect, 196 to accept, 148 to reject; UDP 180 and 136; more is EINVAL, and nothing is sent."),
    CM_21("R.2", CM, "A refusal tells its reason, who refused what, and what goes with the reason; its private data reaches the peer for every reason."),
    CM_22("R.2", CM, "In port space UDP a question for a queue pair is answered with its number and Q_Key 0x01234567, or with a status."),
    CM_24("R.2", CM, "Identifiers and half-open connections of a device are bounded: ENOMEM for a call, silence for a request."),
    CM_26("R.2", CM, "A closed device is DEVICE_REMOVAL for each of its identifiers, then ENODEV."),
    CM_27("R.2", CM, "A call that makes no sense in the state fails with EINVAL, and changes nothing."),
    CM_28("R.2", CM, "A port is bound once in its port space (EADDRINUSE); addresses are the device's own; port 0 is any; a destination has one."),
    CM_29("R.2", CM, "Events are acknowledged once; identifiers and channels are closed once, and not before they are free (EBUSY)."),
    VIS_01("S", CHOICES, "What a device accepted arrives at the home of its domain later, and is visible or durable later still; the device itself sees it at once.",
            "inferred: event model of F.2"),
    VIS_02("S", CHOICES, "What one adapter writes over one path arrives in the order of execution, unless regions are relaxed or the platform has several paths.",
            "inferred: PCI Express ordering of posted requests, as quoted in nccl#2210"),
    VIS_03("S", CHOICES, "Bytes for a region with RELAXED_ORDERING may arrive before earlier ones, also of the same bytes; bytes for another region arrive behind all earlier ones.",
            "stated: ibv_reg_mr(3) of rdma-core"),
    VIS_04("S", CHOICES, "A completion comes after its message and earlier ones of its QP have arrived in host memory; for other domains only where the platform says so.",
            "stated: fi_cq(3) and fi_mr(3) of libfabric"),
    VIS_05("S", CHOICES, "A READ or atomic from GPU memory, or where writes arrive in order, waits for all that its adapter accepted for that domain; else for its QP's own (ORD-31).",
            "asserted: nccl net_ib, aws-ofi-nccl#1396; rdma-core#1780 takes it from UNORDERED regions"),
    VIS_06("S", CHOICES, "Another adapter of the node reads what has arrived, whatever the CPU was told.",
            "measured: torchcomms#2373"),
    VIS_07("S", CHOICES, "Host memory that has arrived is seen by the CPU and by every adapter of the node.",
            "inferred: coherence of host memory; fi_cq(3)"),
    VIS_08("S", CHOICES, "A GPU sees what arrived in its memory at once, or at its next refresh: launch, flush or a READ by that adapter; other GPUs likewise.",
            "stated: GPUDirect RDMA guide, CUDA driver API"),
    VIS_09("S", CHOICES, "A GPU load of host memory that is no acquire of system scope may be as old as the last refresh of its view, each word by itself.",
            "measured: rocm-systems#6497"),
    VIS_10("S", CHOICES, "A GPU store is at home after a fence of system scope, or after the end of the kernel that the poster waited for; before that a gather may take either.",
            "measured: aorta#205"),
    VIS_11("S", CHOICES, "A CPU store into memory of a GPU leaves with the next store fence, and then becomes visible as what adapters write.",
            "asserted: gdrcopy#253"),
    VIS_12("S", CHOICES, "A CPU load from memory of a GPU waits for what adapters write there, where the platform has it so.",
            "asserted: nccl#2092, which asks why; no answer"),
    VIS_13("S", CHOICES, "An atomic comes after what its adapter accepted before it for its domain; PCIe atomics in relaxed regions may come before relaxed bytes.",
            "asserted: nccl#2210 and DeepEP#661; ibv_reg_mr(3) states that atomics keep their order"),
    VIS_14("S", CHOICES, "Over several paths packets of WRITEs and SENDs arrive in any order; READs and atomics are executed behind all before them.",
            "stated: MLX5DV_QP_CREATE_OOO_DP of mlx5dv_create_qp(3)"),
    VIS_15("S", CHOICES, "FLUSH GLOBAL ends when every observer sees the range; memory of a GPU is registered without FLUSH rights.",
            "stated: fi_cq(3); ibv_reg_dmabuf_mr(3)"),
    VIS_16("S", CHOICES, "Bytes are durable when they arrive, or only after FLUSH PERSISTENT or a flush of the CPU; power failure keeps durable words, others in part.",
            "stated: librpma; arXiv 1909.02092"),
    // spotless:on

    /** What refuses has no rule in the catalogue; its id and what it says are empty. */
    UNLISTED("", OUT, "");

    /** What must be emulated before a rule can be observed. */
    public enum Scope {
        /** Reliable connections, regions, keys, completion queues, channels, packets and their carriers. */
        RC,
        /** Memory windows of any type. */
        WINDOW,
        /** Freedom that the specification leaves: litmus programs and everything explored rather than fixed. */
        CHOICES,
        /** Other transports, shared receive queues, the rarer verbs and operations, and differences between profiles. */
        TYPES,
        /** Connection management, and queue pair 1 that carries its messages. */
        CM,
        /** The device seen through NetworkDirect. */
        NETWORKDIRECT,
        /** Never emulated; the statement of such a rule ends with the reason. */
        OUT;

        /** Its name in lower case, as documents and options have it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The scope that {@code word} stands for, in exactly that spelling. */
        public static Optional<Scope> of(String word) {
            return Arrays.stream(values())
                    .filter(scope -> scope.word().equals(word))
                    .findFirst();
        }

        /** All words in declaration order, for messages. */
        public static String words() {
            return Arrays.stream(values()).map(Scope::word).collect(Collectors.joining(", "));
        }
    }

    /** Made when somebody looks for an id, which the device does not do. */
    private static final class ById {
        static final Map<String, Rule> RULES =
                Stream.of(values()).collect(Collectors.toUnmodifiableMap(Rule::id, Function.identity()));
    }

    /** What ids begin with, in the order of their thousands in {@link #number}: a new one goes to the end. */
    private static final List<String> SECTIONS = List.of(
            "PD-", "MR-", "MW-", "KEY-", "KEY-P", "QP-", "CQ-", "WR-", "WC-", "ORD-", "N", "N-", "PSN-", "ACK-", "RT-",
            "DUP-", "NT-", "AE-", "SRQ-", "XRC-", "UC-", "UD-", "QV-", "QS-", "DM-", "H3-", "NW-", "MAD-", "CM-", "CC-",
            "PR-", "TX-", "TR-", "LT-", "TV-", "T-", "HD-", "IC-", "VIS-");

    private static final int SECTION_SIZE = 1_000;

    private final String id;
    private final String section;
    private final Scope scope;
    private final String statement;
    private final String basis;

    Rule(String section, Scope scope, String statement) {
        this(section, scope, statement, "");
    }

    Rule(String section, Scope scope, String statement, String basis) {
        this.id = section.isEmpty() ? "" : name().replace('_', '-');
        this.section = section;
        this.scope = scope;
        this.statement = statement;
        this.basis = basis;
    }

    /** All but {@link #UNLISTED}, in the order of the catalogue. */
    public static List<Rule> catalogue() {
        return List.of(values()).subList(0, UNLISTED.ordinal());
    }

    /** The rule of that id, in exactly that spelling; {@link #UNLISTED} for an empty one. */
    public static Optional<Rule> find(String id) {
        return Optional.ofNullable(ById.RULES.get(id));
    }

    /**
     * The rule of that id.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Rule of(String id) {
        return find(id).orElseThrow(
                        () -> new IllegalArgumentException("there is no rule " + id + "; verbatim rules lists all"));
    }

    /** As documents and traces have it, such as {@code MW-30}. */
    public String id() {
        return id;
    }

    /** The subject it belongs to, such as {@code B.3}; {@code docs/conformance.md} lists the subjects. */
    public String section() {
        return section;
    }

    /** What must be emulated before it can be observed. */
    public Scope scope() {
        return scope;
    }

    /** What happens, in one sentence of at most 160 characters. */
    public String statement() {
        return statement;
    }

    /**
     * How certain it is, and its source, such as {@code measured: torchcomms#2373}; empty for rules whose sources
     * {@code docs/conformance.md} names for all of them.
     */
    public String basis() {
        return basis;
    }

    /**
     * A number that stands for the id where only a number can be told, as in {@code vendor_err}: it never changes, and is above 1,000.
     * 0 for {@link #UNLISTED}.
     */
    public int number() {
        return numberOf(id).orElse(0);
    }

    /** The number of any id of the catalogue; empty for a text that is none. */
    public static OptionalInt numberOf(String id) {
        int digits = id.length();
        while (digits > 0 && Character.isDigit(id.charAt(digits - 1))) {
            digits--;
        }
        int section = SECTIONS.indexOf(id.substring(0, digits));
        return section < 0 || digits == id.length()
                ? OptionalInt.empty()
                : OptionalInt.of((section + 1) * SECTION_SIZE + Integer.parseInt(id.substring(digits)));
    }

    /** The id. */
    @Override
    public String toString() {
        return id;
    }
}
