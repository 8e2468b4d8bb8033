// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A queue pair as its completion queues know it. */
public final class CqUser {

    /** More than a queue pair has requests in a simulation. */
    private static final long PLACES = 1L << 32;

    private final QpTrace trace;
    private final QpType type;
    private final SgeAccess memory;
    private final Consumer<Refusal> cqBroken;
    private final Consumer<Throwable> stepFailed;
    private final Supplier<UnfinishedWork> unfinished;

    /** Of the requests of its send queue, how many were reclaimed. */
    private volatile long reclaimed;

    /**
     * Of a queue pair none of whose requests has completed.
     *
     * @param memory what its completions promise about memory is kept here
     * @param cqBroken called when one of the completion queues takes no more completions
     * @param stepFailed takes what is thrown while a held completion is shown
     * @param unfinished describes what it has not done
     */
    public CqUser(
            QpTrace trace,
            QpType type,
            SgeAccess memory,
            Consumer<Refusal> cqBroken,
            Consumer<Throwable> stepFailed,
            Supplier<UnfinishedWork> unfinished) {
        this.trace = trace;
        this.type = type;
        this.memory = memory;
        this.cqBroken = cqBroken;
        this.stepFailed = stepFailed;
        this.unfinished = unfinished;
    }

    public QpTrace trace() {
        return trace;
    }

    public int number() {
        return trace.number();
    }

    QpType type() {
        return type;
    }

    SgeAccess memory() {
        return memory;
    }

    /** A completion queue that it uses takes no more completions (CQ-03). On the lane. */
    void cqBroken(Refusal reason) {
        cqBroken.accept(reason);
    }

    /** A step threw something while a completion was shown that had been held. On the lane. */
    void stepFailed(Throwable thrown) {
        stepFailed.accept(thrown);
    }

    /** What it has not done. On the lane. */
    UnfinishedWork unfinished() {
        return unfinished.get();
    }

    /** How many requests of its send queue have given back their slots (WR-14). */
    public long reclaimed() {
        return reclaimed;
    }

    /** What stands for the slot of a request of its send queue, from 0, in {@link dev.verbatim.fabric.DevicePart#SEND_ROOM}. */
    public long placeOfSlot(long request) {
        return number() * PLACES + request;
    }

    /** The slots of the first {@code count} requests are free. By the one who polls. */
    void reclaimUpTo(long count) {
        if (count > reclaimed) {
            reclaimed = count;
        }
    }

    /** The send queue is empty, and counts from 0 again (QP-24). */
    public void forgetReclaimed() {
        reclaimed = 0;
    }
}
