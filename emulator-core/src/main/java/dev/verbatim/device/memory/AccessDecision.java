// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.Allowed;
import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Rule;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one function that decides who may touch what. Pure: the answer follows from the arguments alone. The responder and
 * the checks of local elements come here; {@link KeyExplanation} says why a key that names nothing is refused.
 */
public final class AccessDecision {

    private static final long ATOMIC_ALIGNMENT_MASK = 7;

    private AccessDecision() {}

    /**
     * A peer's request: the queue pair's right, then alignment, then, unless no byte is touched (MR-31), the key.
     *
     * @param grantedByQp access flags of the queue pair
     * @param user the queue pair
     * @param lengthBytes bytes touched, from 0
     */
    static Decision remote(
            KeyTable keys,
            int grantedByQp,
            QpIdentity user,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int rkey) {
        Denial denial = queuePairRight(grantedByQp, operation);
        return denial != null ? denial : remoteKey(keys, user, operation, address, lengthBytes, rkey);
    }

    /** The first part of {@link #remote}: what the queue pair grants (MW-100, WC-25). */
    public static @Nullable Denial queuePairRight(int grantedByQp, AccessOperation operation) {
        int right = operation.right;
        if ((grantedByQp & right) == right) {
            return null;
        }
        return Denial.invalidRequest(
                Rule.WC_25,
                "%s is not among the queue pair's access flags %s; add it by modify_qp",
                AccessFlags.describe(operation.right),
                AccessFlags.describe(grantedByQp));
    }

    /** The second part of {@link #remote}: alignment and key. */
    public static Decision remoteKey(
            KeyTable keys, QpIdentity user, AccessOperation operation, long address, long lengthBytes, int rkey) {
        return remoteKey(keys, keys.target(rkey), user, operation, address, lengthBytes, rkey);
    }

    /**
     * The same.
     *
     * @param target what the key leads to ({@link KeyTable#target})
     */
    public static Decision remoteKey(
            KeyTable keys,
            @Nullable RemoteTarget target,
            QpIdentity user,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int rkey) {
        if ((address & ATOMIC_ALIGNMENT_MASK) != 0 && operation.isOfAWord()) {
            return Denial.invalidRequest(
                    operation == AccessOperation.ATOMIC ? Rule.WR_35 : Rule.NW_01,
                    "%s address 0x%x is misaligned: it is not a multiple of 8; keep the word at an aligned address",
                    operation,
                    address);
        }
        if (lengthBytes == 0 && !operation.isFlush()) {
            return Allowed.NO_BYTES;
        }
        Denial denial;
        if (target instanceof EmulatedMemoryRegion region) {
            denial = inRegion(region, user.pd(), operation, address, lengthBytes, rkey, true);
        } else if (KeyTable.isOfWindow(rkey)) {
            EmulatedMemoryWindow window = target instanceof EmulatedMemoryWindow bound ? bound : keys.byWindowKey(rkey);
            denial = window == null
                    ? KeyExplanation.unknownWindowKey(keys, rkey)
                    : throughWindow(keys, window, user, operation, address, lengthBytes);
        } else {
            denial = KeyExplanation.unknownRemoteKey(keys, operation, rkey);
        }
        return denial != null ? denial : Allowed.BY_KEY;
    }

    /** The rule that has it that a region grants the operation or not. */
    private static Rule ruleOfRight(AccessOperation operation) {
        return operation.isFlush() ? Rule.NW_02 : Rule.MR_12;
    }

    /**
     * {@link #remoteKey} for a message that goes on: it must still find the binding under which it was accepted, and not
     * another with the same key (MW-92).
     *
     * @param target what the key leads to ({@link KeyTable#target})
     * @param binding that of what the key led to when it was accepted; -1 if to nothing
     */
    public static Decision remoteKeyStill(
            KeyTable keys,
            @Nullable RemoteTarget target,
            QpIdentity user,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int rkey,
            int binding) {
        Decision decision = remoteKey(keys, target, user, operation, address, lengthBytes, rkey);
        Denial revoked = decision == Allowed.NO_BYTES ? null : sameBinding(target, rkey, binding);
        return revoked != null ? revoked : decision;
    }

    /** Null if it is the same, or if the key is refused anyway. */
    private static @Nullable Denial sameBinding(@Nullable RemoteTarget target, int rkey, int binding) {
        int now = target == null ? binding : target.binding();
        if (now == binding) {
            return null;
        }
        return Denial.remoteAccess(
                KeyTable.isOfWindow(rkey) ? Rule.MW_92 : Rule.MR_65,
                "the message began under binding %d of key 0x%08x, which was revoked; binding %d has the same key and is"
                        + " not meant",
                binding,
                rkey,
                now);
    }

    /**
     * A local element: key, domain, right and range (MR-40); an element of no bytes is not looked at (MR-32).
     *
     * @param pd domain of the queue pair, or of the shared receive queue (PD-06)
     */
    static Decision local(
            KeyTable keys, PdIdentity pd, AccessOperation operation, long address, long lengthBytes, int lkey) {
        return local(keys, keys.byLocalKey(lkey), pd, operation, address, lengthBytes, lkey);
    }

    /**
     * The same.
     *
     * @param region what the key names; null if nothing
     */
    static Decision local(
            KeyTable keys,
            @Nullable EmulatedMemoryRegion region,
            PdIdentity pd,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int lkey) {
        if (lengthBytes == 0) {
            return Allowed.NO_BYTES_OF_ELEMENT;
        }
        Denial denial = region == null
                ? KeyExplanation.unknownLocalKey(keys, lkey)
                : inRegion(region, pd, operation, address, lengthBytes, lkey, false);
        if (denial != null) {
            return denial;
        }
        return operation == AccessOperation.LOCAL_READ ? Allowed.LOCAL_READ : Allowed.BY_KEY;
    }

    /** Domain, queue pair, rights and range are the window's; of the region only its existence counts (MW-103 to MW-108). */
    @SuppressWarnings("ReferenceEquality") // an identity is what it says
    private static @Nullable Denial throughWindow(
            KeyTable keys,
            EmulatedMemoryWindow window,
            QpIdentity user,
            AccessOperation operation,
            long address,
            long lengthBytes) {
        if (window.comparesDomain() && window.domain() != user.pd()) {
            return Denial.remoteAccess(
                    Rule.MW_103, "%s belongs to %s but the queue pair to %s", window, window.domain(), user.pd());
        }
        QpIdentity binder = window.user();
        if (binder != null && binder != user) {
            return otherQueuePair(window, binder, user);
        }
        if (!window.isBound()) {
            return KeyExplanation.unknownWindowKey(keys, window.key());
        }
        if ((window.access() & operation.right) != operation.right) {
            return Denial.remoteAccess(
                    operation.isFlush() ? Rule.MW_113 : Rule.MW_106,
                    "%s needs %s but %s grants only %s; bind it with %2$s",
                    operation,
                    AccessFlags.describe(operation.right),
                    window,
                    AccessFlags.describe(window.access()));
        }
        if (operation == AccessOperation.ATOMIC
                && !window.domain().device().profile().windows().atomics()) {
            return Denial.remoteAccess(Rule.MW_112, "no atomic works through %s of this device", window);
        }
        if (!window.covers(address, lengthBytes)) {
            return outOfRange(
                    Rule.MW_107, operation, address, lengthBytes, window, window.firstAddress(), window.boundBytes());
        }
        EmulatedMemoryRegion region = window.region();
        if (!region.isRegistered()) {
            return Denial.remoteAccess(Rule.MW_108, "the %s under %s has been deregistered", region, window);
        }
        if (!window.isWithinRegion()) {
            return outOfRegion(window, region, operation, address, lengthBytes);
        }
        return null;
    }

    private static Denial otherQueuePair(EmulatedMemoryWindow window, QpIdentity binder, QpIdentity user) {
        if (binder.isOver()) {
            return Denial.remoteAccess(
                    Rule.MW_95,
                    "%s was bound over qp 0x%x, which has been reset or destroyed since; no other can use it, only"
                            + " deallocation frees it",
                    window,
                    binder.qpNumber());
        }
        return Denial.remoteAccess(
                Rule.MW_104,
                "%s is bound over qp 0x%x and cannot be used through qp 0x%x",
                window,
                binder.qpNumber(),
                user.qpNumber());
    }

    /** A range that was not checked when it was bound: what lies outside the region is not there. */
    private static @Nullable Denial outOfRegion(
            EmulatedMemoryWindow window,
            EmulatedMemoryRegion region,
            AccessOperation operation,
            long address,
            long lengthBytes) {
        long inRegion = address - window.firstAddress() + window.address();
        boolean wraps = Long.compareUnsigned(inRegion, window.address()) < 0;
        return region.covers(inRegion, lengthBytes) && !wraps
                ? null
                : outOfRange(
                        Rule.MW_57, operation, inRegion, lengthBytes, region, region.address(), region.lengthBytes());
    }

    private static @Nullable Denial inRegion(
            EmulatedMemoryRegion region,
            PdIdentity pd,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int key,
            boolean isRemote) {
        if (region.pd != pd) {
            return Denial.remoteAccess(
                    isRemote ? Rule.MR_41 : Rule.MR_40,
                    "key 0x%08x belongs to %s but the queue pair to %s; register the memory there",
                    key,
                    region.pd,
                    pd);
        }
        int right = operation.right;
        if ((region.access & right) != right) {
            return Denial.remoteAccess(
                    isRemote ? ruleOfRight(operation) : Rule.MR_11,
                    "%s needs %s but key 0x%08x has only %s; register the memory with %2$s",
                    operation,
                    AccessFlags.describe(operation.right),
                    key,
                    AccessFlags.describe(region.access));
        }
        if (!region.covers(address, lengthBytes)) {
            String what = String.format(Locale.ROOT, "key 0x%08x", key);
            return outOfRange(
                    Rule.MR_22, operation, address, lengthBytes, what, region.address(), region.lengthBytes());
        }
        return null;
    }

    private static Denial outOfRange(
            Rule rule,
            AccessOperation operation,
            long address,
            long lengthBytes,
            Object what,
            long begin,
            long coveredBytes) {
        if (lengthBytes > 0 && Long.compareUnsigned(address + lengthBytes - 1, address) < 0) {
            return Denial.remoteAccess(
                    Rule.MR_23,
                    "%s of %d bytes at 0x%x passes the end of 64 bits; %s covers [0x%x,0x%x)",
                    operation,
                    lengthBytes,
                    address,
                    what,
                    begin,
                    begin + coveredBytes);
        }
        return Denial.remoteAccess(
                rule,
                "%s of %d bytes at 0x%x needs [0x%x,0x%x) but %s covers [0x%x,0x%x)%s",
                operation,
                lengthBytes,
                address,
                address,
                address + lengthBytes,
                what,
                begin,
                begin + coveredBytes,
                MistakenAddress.explain(address, begin, coveredBytes));
    }
}
