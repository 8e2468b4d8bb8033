// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.Allowed;
import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.BindChecks;
import dev.verbatim.device.memory.DeviceMemory;
import dev.verbatim.device.memory.EmulatedMemoryRegion;
import dev.verbatim.device.memory.EmulatedMemoryWindow;
import dev.verbatim.device.memory.KeyExplanation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.memory.RegionHandle;
import dev.verbatim.device.memory.Revocation;
import dev.verbatim.device.memory.WindowTypes;
import dev.verbatim.operation.Operation;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.trace.TraceEvent.WindowChange;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Syndrome;
import org.jspecify.annotations.Nullable;

/** What a queue pair's requests, and those of its peer, do to windows. On the lane. */
public final class WindowOperations {

    private final QpTrace trace;
    private final QpType type;
    private final PdIdentity domain;
    private final DeviceMemory memory;
    private final WindowSwitches switches;
    private QpIdentity identity;

    /** Of a queue pair in its first life. */
    WindowOperations(QpTrace trace, QpType type, PdIdentity domain, DeviceMemory memory) {
        this.trace = trace;
        this.type = type;
        this.domain = domain;
        this.memory = memory;
        this.switches = trace.device().profile().windows();
        this.identity = new QpIdentity(domain, trace.number());
    }

    /** What windows that the queue pair binds now are tied to. */
    QpIdentity identity() {
        return identity;
    }

    /**
     * Refuses to destroy a queue pair over which windows of type 2A are bound: their domain is not looked at, so nothing
     * but it keeps them apart (MW-96).
     *
     * @throws VerbsException EBUSY if there are (MW-95)
     */
    void requireDestroyable() {
        if (identity.windows() == 0) {
            return;
        }
        trace.decided(Rule.MW_95);
        if (!WindowTypes.comparesDomain(switches, MemoryWindowType.TYPE_2)) {
            trace.decided(Rule.MW_96);
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.MW_95,
                    "qp 0x%x has windows=%d of type 2A bound over it; invalidate or deallocate them first",
                    trace.number(),
                    identity.windows());
        }
    }

    /** The queue pair is gone, and what is tied to it can only be deallocated. */
    void endLife() {
        identity.end();
    }

    /** RESET: what is tied to the life before cannot be reached through this queue pair any more (MW-94). */
    void beginNewLife() {
        if (identity.windows() > 0) {
            trace.decided(Rule.MW_94);
        }
        if (!switches.keepOverReset()) {
            identity.end();
            identity = new QpIdentity(domain, trace.number());
        }
    }

    /**
     * Executes a BIND_MW, of a window of either type: all checks first, then the change, at once (MW-23, MW-26).
     *
     * @return why it failed, and nothing has changed; null if it is done
     */
    public @Nullable Refusal bind(SendWqe wqe) {
        EmulatedMemoryWindow window = wqe.window();
        BindInfo info = wqe.bindInfo();
        EmulatedMemoryRegion region = info.region() instanceof RegionHandle own ? own.now() : null;
        int newKey = wqe.boundKey();
        trace.decided(Rule.MW_41);
        boolean type1 = window.type() == MemoryWindowType.TYPE_1;
        trace.decided(type1 ? Rule.MW_44 : Rule.MW_45);
        if (type == QpType.XRC_SEND) {
            trace.decided(Rule.XRC_02);
        }
        Refusal refusal = BindChecks.check(trace, switches, identity, window, region, newKey, info);
        if (refusal != null) {
            failed(window, newKey, refusal);
            return refusal;
        }
        boolean toBytes = region != null && info.lengthBytes() != 0;
        if (window.isBound()) {
            memory.revoke(window, toBytes ? Revocation.REBIND : Revocation.UNBIND, trace.number(), trace.number());
            window.unbind();
            trace.decided(Rule.MW_23);
        }
        if (region != null && toBytes) {
            window.bind(newKey, region, info, identity);
            // To the byte, whatever other windows cover.
            trace.decided(Rule.MW_64);
            if (region.windows() > 1) {
                trace.decided(Rule.MW_62);
            }
            memory.bound(window, trace.number());
        } else {
            window.bindToNothing(newKey, identity);
            memory.trace(WindowChange.UNBOUND, window, trace.number());
            trace.decided(Rule.MW_24);
        }
        if (trace.isTraced()) {
            executed(type1);
        }
        return null;
    }

    private void executed(boolean type1) {
        // The whole of it happens before the next request begins, without a packet.
        trace.decided(Rule.MW_63);
        trace.decided(Rule.MW_70);
        trace.decided(Rule.ORD_16);
        trace.decided(Rule.KEY_01);
        trace.decided(Rule.KEY_P1);
        if (type1) {
            // The device has chosen the variant of the key, and any queue pair may use it.
            trace.decided(Rule.MW_26);
            trace.decided(Rule.KEY_P3);
        } else {
            // The request has chosen the variant of the key, and its queue pair alone may use it.
            trace.decided(Rule.MW_30);
            trace.decided(Rule.MW_34);
            trace.decided(Rule.KEY_P4);
            trace.decided(Rule.MW_35);
            trace.decided(Rule.MW_120);
        }
    }

    private void failed(EmulatedMemoryWindow window, int newKey, Refusal refusal) {
        boolean type1 = window.type() == MemoryWindowType.TYPE_1;
        if (type1 && switches.failedBindRestoresRkey()) {
            window.giveBack(newKey);
        }
        trace.decided(Rule.WC_33);
        trace.decided(refusal.brokenRule());
        trace.decided(Rule.MW_56);
        trace.decided(Rule.MW_71);
        switch (refusal.brokenRule()) {
            case MW_46, MW_48 -> trace.decided(Rule.MW_59);
            case MW_52 -> trace.decided(Rule.MW_57);
            default -> {}
        }
        trace.decided(type1 ? Rule.MW_21 : Rule.MW_32);
        trace.decided(Rule.KEY_08);
    }

    /** Whether this is the failure that some devices do not tell of unless the request is signaled (B.4). */
    boolean leaveUntold(SendWqe wqe) {
        return wqe.operation() == Operation.BIND_MW
                && wqe.failure() == WcStatus.MW_BIND_ERR
                && !switches.unsignaledBindErrors();
    }

    /**
     * A peer asked for bytes by a key: which rules the answer came under, for those who watch; of a denial those about windows, as its
     * own is in what it brings about.
     */
    public void accessed(int rkey, AccessOperation operation, Decision decision) {
        if (!trace.isTraced()) {
            return;
        }
        if (decision instanceof Allowed allowed && allowed.rule != null) {
            trace.decided(allowed.rule);
        }
        if (!KeyTable.isOfWindow(rkey)) {
            return;
        }
        if (rkey < 0) {
            trace.decided(Rule.N_04);
        }
        Rule rule = windowRule(operation, decision);
        if (rule != null) {
            trace.decided(rule);
        }
        if (decision instanceof Denial denial) {
            switch (denial.refusal().brokenRule()) {
                case MW_23, MW_24, MW_80, MW_84 -> trace.decided(Rule.MW_93);
                default -> {}
            }
        }
    }

    /** What the decision is called where the key is that of a window; null for nothing of its own. */
    private static @Nullable Rule windowRule(AccessOperation operation, Decision decision) {
        if (decision instanceof Allowed allowed && allowed.windowRule != null) {
            return allowed.windowRule;
        }
        if (decision instanceof Denial denial && denial.syndrome() == Syndrome.NAK_INVALID_REQUEST) {
            return denial.refusal().brokenRule() == Rule.WC_25 ? Rule.MW_100 : Rule.MW_101;
        }
        if (operation == AccessOperation.ATOMIC) {
            return Rule.MW_112;
        }
        return operation == AccessOperation.ATOMIC_WRITE || operation.isFlush() ? Rule.MW_113 : null;
    }

    /**
     * Executes a LOCAL_INV (MW-80).
     *
     * @return why it failed; null if it is done
     */
    public @Nullable Refusal invalidate(int rkey) {
        trace.decided(Rule.ORD_17);
        EmulatedMemoryWindow window = memory.keys().windowAt(rkey);
        if (window != null && isFreeAgain(window, rkey)) {
            trace.decided(Rule.MW_82);
            return switches.freeWindowInvalidates()
                    ? null
                    : Refusal.of(Rule.MW_82, "key 0x%08x cannot be invalidated: %s %s", rkey, window, whyFree(window));
        }
        Refusal refusal = invalidate(rkey, Revocation.LOCAL_INV, WindowChange.INVALIDATED, trace.number(), Rule.MW_81);
        if (refusal != null) {
            trace.decided(Rule.WC_34);
            trace.decided(Rule.MW_81);
        } else {
            trace.decided(Rule.MW_80);
        }
        return refusal;
    }

    /**
     * Executes a bind or a LOCAL_INV.
     *
     * @return why it failed; null if it is done
     */
    public @Nullable Refusal execute(SendWqe wqe) {
        return switch (wqe.effect()) {
            case BIND -> bind(wqe);
            case INVALIDATE -> invalidate(wqe.invalidateKey());
            case RECEIVE, WRITE, READ, ATOMIC, ATOMIC_WRITE, FLUSH, NOTHING -> throw notLocal(wqe);
        };
    }

    private static IllegalStateException notLocal(SendWqe wqe) {
        return new IllegalStateException(wqe + " is not done here");
    }

    /** The status of a bind or a LOCAL_INV that failed. */
    public WcStatus statusOfFailed(SendWqe wqe) {
        return switch (wqe.effect()) {
            case BIND -> WcStatus.MW_BIND_ERR;
            case INVALIDATE ->
                switch (switches.localInvStatus()) {
                    case MW_BIND_ERR -> WcStatus.MW_BIND_ERR;
                    case LOC_QP_OP_ERR -> WcStatus.LOC_QP_OP_ERR;
                };
            case RECEIVE, WRITE, READ, ATOMIC, ATOMIC_WRITE, FLUSH, NOTHING -> throw notLocal(wqe);
        };
    }

    private static boolean isFreeAgain(EmulatedMemoryWindow window, int rkey) {
        return window.type() == MemoryWindowType.TYPE_2 && !window.isBound() && window.key() == rkey;
    }

    /**
     * Executes the invalidation that a SEND_WITH_INV asks for (MW-84).
     *
     * @param peer number of the queue pair that asks
     * @return why it failed; null if it is done
     */
    public @Nullable Refusal invalidateForPeer(int rkey, int peer) {
        Refusal refusal =
                invalidate(rkey, Revocation.SEND_WITH_INV, WindowChange.INVALIDATED_BY_PEER, peer, Rule.MW_85);
        trace.decided(refusal == null ? Rule.MW_84 : Rule.MW_85);
        if (refusal == null) {
            trace.decided(Rule.ORD_39);
        }
        return refusal;
    }

    private @Nullable Refusal invalidate(int rkey, Revocation revocation, WindowChange change, int revoker, Rule rule) {
        EmulatedMemoryWindow window = memory.keys().boundWindow(rkey);
        Refusal refusal = checkInvalidation(window, rkey, rule);
        if (window == null || refusal != null) {
            return refusal;
        }
        memory.revoke(window, revocation, revoker, trace.number());
        memory.trace(change, window, trace.number());
        window.unbind();
        trace.decided(Rule.MR_51);
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // an identity is what it says
    private @Nullable Refusal checkInvalidation(@Nullable EmulatedMemoryWindow window, int rkey, Rule rule) {
        if (window == null) {
            return unknown(rkey, rule);
        }
        if (window.type() == MemoryWindowType.TYPE_1) {
            return Refusal.of(
                    rule, "key 0x%08x is of %s; only type 2 can be invalidated, bind no bytes instead", rkey, window);
        }
        QpIdentity user = window.user();
        boolean allowed = switches.crossQpInvalidate() ? window.domain() == domain : user == identity;
        if (!allowed && user != null && user.isOver()) {
            return Refusal.of(
                    rule,
                    "key 0x%08x is of %s, which was bound over a qp 0x%x that has been reset or destroyed since; only"
                            + " deallocation frees it",
                    rkey,
                    window,
                    window.boundBy());
        }
        if (!allowed) {
            return Refusal.of(
                    rule,
                    "key 0x%08x is of %s, which is bound over qp 0x%x and not over qp 0x%x",
                    rkey,
                    window,
                    window.boundBy(),
                    trace.number());
        }
        return null;
    }

    private static String whyFree(EmulatedMemoryWindow window) {
        String end = window.lastEnd();
        return end == null
                ? "is free; there is nothing to invalidate before it is bound"
                : "is free, since the key was invalidated by " + end
                        + " already; an invalidated key needs no other end";
    }

    private Refusal unknown(int rkey, Rule rule) {
        KeyTable keys = memory.keys();
        if (keys.byLocalKey(rkey) != null || keys.byRemoteKey(rkey) != null) {
            trace.decided(Rule.MW_83);
            return Refusal.of(rule, "key 0x%08x is of a region; only windows of type 2 can be invalidated", rkey);
        }
        return Refusal.of(
                rule,
                "key 0x%08x cannot be invalidated: %s",
                rkey,
                KeyExplanation.unknownWindowKey(keys, rkey).refusal());
    }
}
