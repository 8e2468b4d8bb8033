// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** What starts overlapped requests ({@code IND2Overlapped}): completion queue, shared receive queue, memory region, connector, listener. */
public abstract class NdOverlappedObject extends NdObject {

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final NdContext context;
    private final NdOverlappedFile file;

    private final AwaitedObject awaited = new AwaitedObject(this::dispatcher, this::check, this::pendingInWords);

    /** What is under way, in the order in which it was started. */
    private final ArrayDeque<NdOverlapped> pending = new ArrayDeque<>();

    NdOverlappedObject(NdContext context, NdOverlappedFile file) {
        this.context = context;
        this.file = file;
    }

    /**
     * Completes all pending requests of this object with CANCELED, in the order in which they were started. They are delivered when this
     * returns.
     *
     * @return SUCCESS, also if none was pending
     */
    public final NdStatus cancelOverlappedRequests() {
        return calls().run(this::cancelAll);
    }

    private NdStatus cancelAll() {
        List<NdOverlapped> cancelled;
        synchronized (pending) {
            cancelled = new ArrayList<>(pending);
        }
        for (NdOverlapped overlapped : cancelled) {
            if (finish(overlapped, NdStatus.CANCELED)) {
                cancelled(overlapped);
            }
        }
        cancelledAll();
        return NdStatus.SUCCESS;
    }

    /**
     * The status of a request that was started at this object.
     *
     * @param wait whether to wait until the request has completed
     * @return its status; PENDING if it is outstanding and {@code wait} is false, or if the thread was interrupted; INVALID_PARAMETER if
     *     it was started at another object
     */
    public final NdStatus getOverlappedResult(NdOverlapped overlapped, boolean wait) {
        return getOverlappedResult(overlapped, wait ? FOR_EVER : Duration.ZERO);
    }

    /** The same, but waits for at most {@code patience}; PENDING if the request has not completed by then. */
    public final NdStatus getOverlappedResult(NdOverlapped overlapped, Duration patience) {
        calls().touched();
        if (!overlapped.isOf(this)) {
            return NdStatus.INVALID_PARAMETER;
        }
        boolean unused = context.progress().await(overlapped::isCompleted, patience);
        return overlapped.status();
    }

    /** What it shares with the other objects of its adapter. */
    final NdContext context() {
        return context;
    }

    @Override
    final ObjectCalls calls() {
        return context.calls();
    }

    /** The request is under way from now on. */
    final NdStatus begin(NdOverlapped overlapped) {
        overlapped.begin(this);
        synchronized (pending) {
            pending.addLast(overlapped);
        }
        context.progress().add(awaited);
        return NdStatus.PENDING;
    }

    /**
     * A request that was under way ended: it is delivered.
     *
     * @return false if it was not under way any more, so that nothing was done
     */
    final boolean finish(NdOverlapped overlapped, NdStatus status) {
        synchronized (pending) {
            if (!pending.remove(overlapped)) {
                return false;
            }
            if (pending.isEmpty()) {
                context.progress().remove(awaited);
            }
        }
        overlapped.end(this, status);
        file.deliver(overlapped, status);
        context.progress().wake();
        return true;
    }

    /** All requests under way ended, in the order in which they were started. */
    final void finishAll(NdStatus status) {
        pending().forEach(overlapped -> finish(overlapped, status));
    }

    /** A request ended before its call returned: nothing is delivered. */
    final NdStatus inline(NdOverlapped overlapped, NdStatus status) {
        overlapped.end(this, status);
        return status;
    }

    /** What is under way, in the order in which it was started. */
    final List<NdOverlapped> pending() {
        synchronized (pending) {
            return List.copyOf(pending);
        }
    }

    private String pendingInWords() {
        int count = pending().size();
        return count + (count == 1 ? " request of " : " requests of ") + this;
    }

    final boolean hasPending() {
        synchronized (pending) {
            return !pending.isEmpty();
        }
    }

    /** Where the events come from that its requests wait for. */
    Dispatcher dispatcher() {
        return context.completions();
    }

    /** Checks whether pending requests can complete for which there is no event; called by the thread that waits. */
    void check() {}

    /** A request was cancelled: what it had set in motion is called off. */
    void cancelled(NdOverlapped overlapped) {}

    /** All requests that were pending were cancelled, if there were any. */
    void cancelledAll() {}

    @Override
    public String toString() {
        return super.toString() + " of " + context;
    }
}
