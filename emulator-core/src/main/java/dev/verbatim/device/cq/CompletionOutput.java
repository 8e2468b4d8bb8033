// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.EndsRun;
import dev.verbatim.fabric.Lane;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The completions of one work queue on their way to the completion queue: at once, or when the lane has it so (N4). What a
 * completion promises about memory is kept before it is seen (ORD-15, ORD-31).
 */
public final class CompletionOutput {

    /** A mark behind everything that was placed. */
    private static final long NOW = Long.MAX_VALUE;

    private final Lane lane;
    private final CqUser user;
    private final SgeAccess memory;
    private final QpTrace trace;
    private final DeviceContext device;
    private final EmulatedCompletionQueue cq;
    private final int cqNumber;
    private final boolean sends;
    private final String name;

    /** Whether executed requests may still be flushed, so that unsignaled ones are kept, too. */
    private final boolean flushesExecuted;

    /** Those without an own event are of unsignaled requests. */
    private final ArrayDeque<HeldCompletion> held = new ArrayDeque<>();

    private long heldSoFar;

    /** The completions of the send queue, or else of the receive queue. */
    public CompletionOutput(CqUser user, EmulatedCompletionQueue cq, boolean sends) {
        this(user, cq, sends, sends ? " send" : " receive");
    }

    /** The same under a name of its own: receives of one queue pair may complete in several queues (XRC-01). */
    public CompletionOutput(CqUser user, EmulatedCompletionQueue cq, boolean sends, String name) {
        this.memory = user.memory();
        this.trace = user.trace();
        this.device = trace.device();
        this.lane = device.lane();
        this.user = user;
        this.cq = cq;
        this.cqNumber = cq.number;
        this.sends = sends;
        this.name = name;
        this.flushesExecuted =
                sends && lane.defers(ChoicePoint.COMPLETION) && device.isOpen(ChoicePoint.EXECUTED_FLUSHED);
    }

    /**
     * A request completes.
     *
     * @param sourceQp who sent it, over UD; 0 otherwise
     * @param slotsFreed how many requests of the send queue have completed with it; 0 for a receive
     * @param noteworthy whether it wakes a program that asked for solicited completions only (NT-02)
     */
    public void complete(
            long id,
            WcStatus status,
            WcOpcode opcode,
            int byteLength,
            int immediate,
            int flags,
            int sourceQp,
            @Nullable Refusal refusal,
            long slotsFreed,
            boolean noteworthy) {
        boolean isHeld = false;
        try {
            isHeld = lane.defers(ChoicePoint.COMPLETION);
            if (isHeld) {
                long mark = memory.pieces(sends);
                hold(
                        status == WcStatus.SUCCESS && isOfAPeer(opcode),
                        () -> show(
                                mark,
                                id,
                                status,
                                opcode,
                                byteLength,
                                immediate,
                                flags,
                                sourceQp,
                                refusal,
                                slotsFreed,
                                noteworthy),
                        reason -> show(mark, id, WcStatus.WR_FLUSH_ERR, opcode, 0, 0, 0, 0, reason, slotsFreed, true));
            }
        } catch (RuntimeException | Error e) {
            if (!(e instanceof EndsRun)) {
                // It must not get lost, nor overtake those before it.
                showHeld();
                show(NOW, id, status, opcode, byteLength, immediate, flags, sourceQp, refusal, slotsFreed, noteworthy);
            }
            throw e;
        }
        if (!isHeld) {
            show(NOW, id, status, opcode, byteLength, immediate, flags, sourceQp, refusal, slotsFreed, noteworthy);
        }
    }

    /**
     * Shows a completion.
     *
     * @param mark what was placed before it is visible with it ({@link SgeAccess#pieces})
     */
    private void show(
            long mark,
            long id,
            WcStatus status,
            WcOpcode opcode,
            int byteLength,
            int immediate,
            int flags,
            int sourceQp,
            @Nullable Refusal refusal,
            long slotsFreed,
            boolean noteworthy) {
        try {
            if (lane.defers(ChoicePoint.PLACEMENT)) {
                if (sends) {
                    memory.showReturned(mark);
                } else {
                    memory.showPlaced(mark);
                }
            }
            trace.completed(cqNumber, id, status, opcode, byteLength, refusal);
        } catch (RuntimeException | Error e) {
            // Its memory may not be as it promises; but it must not get lost.
            Refusal reason = device.stepFailures().reasonOfQueuePair(user.number(), e);
            WcStatus told = status == WcStatus.SUCCESS ? WcStatus.FATAL_ERR : status;
            cq.add(user, id, told, opcode, byteLength, immediate, flags, sourceQp, reason, slotsFreed, true);
            throw e;
        }
        cq.add(user, id, status, opcode, byteLength, immediate, flags, sourceQp, refusal, slotsFreed, noteworthy);
    }

    /** An unsignaled request was executed: it has no completion, unless it is flushed after all. */
    public void executed(long id, WcOpcode opcode, long slotsFreed) {
        if (!flushesExecuted) {
            return;
        }
        long mark = memory.pieces(sends);
        Consumer<Refusal> flush =
                reason -> show(mark, id, WcStatus.WR_FLUSH_ERR, opcode, 0, 0, 0, 0, reason, slotsFreed, true);
        held.addLast(new HeldCompletion(this, null, isOfAPeer(opcode) ? flush : null, heldSoFar++));
    }

    /** Binds and invalidations change their own device: one that is flushed has done nothing (MW-60). */
    private static boolean isOfAPeer(WcOpcode opcode) {
        return opcode != WcOpcode.BIND_MW && opcode != WcOpcode.LOCAL_INV;
    }

    private void hold(boolean succeeded, Runnable completion, Consumer<Refusal> flush) {
        HeldCompletion entry = new HeldCompletion(this, completion, succeeded ? flush : null, heldSoFar++);
        held.addLast(entry);
        try {
            lane.defer(entry);
        } catch (RuntimeException | Error e) {
            held.removeLast();
            throw e;
        }
    }

    /** A step threw something while a completion was shown that had been held. On the lane. */
    void failed(Throwable thrown) {
        user.stepFailed(thrown);
    }

    /** Shows what is held, in order. */
    public void showHeld() {
        for (HeldCompletion next = held.peekFirst(); next != null; next = held.peekFirst()) {
            if (next.isToBeShown()) {
                lane.settle(next);
                next.happen();
            } else {
                held.removeFirst();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // an entry is its identity
    boolean isOldest(HeldCompletion entry) {
        for (HeldCompletion each : held) {
            if (each.isToBeShown()) {
                return each == entry;
            }
        }
        return false;
    }

    /** It is seen now: what was executed before it has succeeded for good. */
    @SuppressWarnings("ReferenceEquality") // an entry is its identity
    void shown(HeldCompletion entry) {
        while (held.removeFirst() != entry) {
            // An unsignaled request.
        }
    }

    /**
     * The queue pair has failed. Of requests that were executed, and whose completions are not seen yet, the newest may be flushed
     * like those behind them (QP-22, N8): what was executed before one that is seen to succeed has succeeded.
     */
    public void flushExecuted(Refusal reason) {
        int most = 0;
        Iterator<HeldCompletion> newest = held.descendingIterator();
        while (newest.hasNext() && newest.next().hasSucceeded()) {
            most++;
        }
        int flushed = most == 0 ? 0 : device.choose(ChoicePoint.EXECUTED_FLUSHED, most + 1);
        newest = held.descendingIterator();
        for (int i = 0; i < flushed; i++) {
            HeldCompletion entry = newest.next();
            boolean isUnsignaled = !entry.isToBeShown();
            entry.flush(reason);
            if (isUnsignaled) {
                lane.defer(entry);
            }
        }
    }

    /** Completions of the queue pair vanish, those that were not shown yet too (QP-06, QP-24). */
    public void forget() {
        discardHeld();
        cq.purge(user);
    }

    /** Completions that were not shown yet vanish. */
    public void discardHeld() {
        held.forEach(lane::settle);
        held.clear();
    }

    @Override
    public String toString() {
        return trace + name;
    }
}
