// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.device.cq.CqUser;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a queue pair finds the receive requests for messages that need one, a queue of its own or a shared one, and where they
 * complete. On the lane.
 */
public abstract class ReceiveSource {

    private final CqUser user;
    private final Supplier<QpIdentity> life;

    /** Until when messages find no request; 0 if they find what is there. */
    private long heldUntilNanos;

    /**
     * Of a queue pair.
     *
     * @param life the queue pair in its present life
     */
    ReceiveSource(CqUser user, Supplier<QpIdentity> life) {
        this.user = user;
        this.life = life;
    }

    /** Where the message finds its receives that begins with this request: nearly always here; null if there is no such place. */
    public @Nullable ReceiveSource of(Packet request) {
        return this;
    }

    /** By whom remote memory is touched on behalf of messages that come here. */
    public QpIdentity user() {
        return life.get();
    }

    /** Where its requests complete. */
    abstract CompletionOutput completions();

    /** The request that the next message takes; null if there is none, or they are held. Nothing is taken by looking. */
    public final @Nullable ReceiveWqe oldest() {
        return heldUntilNanos != 0 && isHeld() ? null : next();
    }

    /** The request that the next message takes, held or not; null if there is none. */
    abstract @Nullable ReceiveWqe next();

    /** Messages that begin for so long find no request, whatever is posted. On the lane. */
    public void hold(long nanos) {
        heldUntilNanos = user.trace().device().lane().nowNanos() + nanos;
    }

    /** Messages find as little here as there. */
    final void holdAs(ReceiveSource other) {
        heldUntilNanos = other.heldUntilNanos;
    }

    private boolean isHeld() {
        if (heldUntilNanos - user.trace().device().lane().nowNanos() > 0) {
            return true;
        }
        heldUntilNanos = 0;
        return false;
    }

    /** A message begins to fill the {@link #oldest()} request: from now on it is this queue pair's own (SRQ-07). */
    public abstract ReceiveWqe take();

    /** The request that was taken, or else the oldest, is done; its slot may be another's. Returns its number. */
    abstract long completeOldest();

    /** The oldest request that is the queue pair's own, and goes with it when it fails; null if there is none (QP-22). */
    public abstract @Nullable ReceiveWqe oldestOwn();

    /** Forgets what is the queue pair's own (QP-24). */
    abstract void clear();

    /** A request took a message: the one that was taken, or else the oldest. */
    public void complete(WcOpcode opcode, int byteLength, int immediate, int flags, int sourceQp, boolean solicited) {
        user.trace().decided(Rule.WR_15);
        tell(WcStatus.SUCCESS);
        long id = completeOldest();
        completions()
                .complete(id, WcStatus.SUCCESS, opcode, byteLength, immediate, flags, sourceQp, null, 0, solicited);
    }

    private void tell(WcStatus status) {
        QpInspector inspector = user.trace().inspector();
        if (inspector != null) {
            inspector.receiveCompleted(status);
        }
    }

    /** A request failed: the one that was taken, or else the oldest. */
    public void fail(WcStatus status, Refusal refusal) {
        tell(status);
        WcStatus shown = ReceiveStatuses.shown(user.trace().device().profile().completions(), status);
        long id = completeOldest();
        completions().complete(id, shown, WcOpcode.RECV, 0, 0, 0, 0, refusal, 0, true);
    }

    /** What is the queue pair's own fails, in order (QP-22). */
    public void flushCausedBy(@Nullable Refusal cause) {
        for (ReceiveWqe wqe = oldestOwn(); wqe != null; wqe = oldestOwn()) {
            fail(
                    WcStatus.WR_FLUSH_ERR,
                    Refusal.of(Rule.QP_22, "qp %d is in ERR: receive wr_id=%d was flushed", user.number(), wqe.id())
                            .causedBy(cause));
        }
    }

    /** The same for one reason, when the heap may be full: what is thrown is thrown on only if it kept a request from completing. */
    public void flush(Refusal reason) {
        for (ReceiveWqe wqe = oldestOwn(); wqe != null; wqe = oldestOwn()) {
            long left = size();
            try {
                fail(WcStatus.WR_FLUSH_ERR, reason);
            } catch (RuntimeException | Error e) {
                if (size() == left) {
                    throw e;
                }
                user.trace().device().stepFailures().alsoThrown(e);
            }
        }
    }

    /** Completions that are held come now. */
    public void showCompletions() {
        completions().showHeld();
    }

    /** How many requests are the queue pair's own. */
    public abstract int size();

    /** Forgets what is the queue pair's own, and what has completed of it (QP-24). */
    public void forget() {
        completions().forget();
        clear();
    }

    /** Whether it is a shared queue that the queue pair was made with (QP-25). */
    public boolean isShared() {
        return false;
    }

    /** The queue pair comes to use it. */
    public void begin() {}

    /** The queue pair is destroyed. */
    public void end() {}
}
