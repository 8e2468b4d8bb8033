// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** What starts overlapped requests ({@code IND2Overlapped}): completion queue, shared receive queue, memory region, connector, listener. */
public abstract sealed class NdOverlappedObject extends NdObject
        permits NdCompletionQueue, NdSharedReceiveQueue, NdMemoryRegion, NdConnector, NdListener {

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final NdAdapter adapter;
    private final NdOverlappedFile file;

    /** What is under way, in the order in which it was started. */
    private final ArrayDeque<NdOverlapped> pending = new ArrayDeque<>();

    NdOverlappedObject(NdAdapter adapter, NdOverlappedFile file) {
        this.adapter = adapter;
        this.file = file;
    }

    /**
     * Ends all requests that are pending here with CANCELED, in the order in which they were started; they are delivered when
     * this returns.
     *
     * @return SUCCESS, also if none was pending
     */
    public final NdStatus cancelOverlappedRequests() {
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
     * How a request ended that this object started.
     *
     * @param wait whether to wait until it has
     * @return its status; PENDING if it is under way and is not waited for, or if the thread was interrupted; INVALID_PARAMETER if
     *     another object started it
     */
    public final NdStatus getOverlappedResult(NdOverlapped overlapped, boolean wait) {
        return getOverlappedResult(overlapped, wait ? FOR_EVER : Duration.ZERO);
    }

    /** The same, waiting for so long at most; PENDING if that was too short. */
    public final NdStatus getOverlappedResult(NdOverlapped overlapped, Duration patience) {
        if (!overlapped.isOf(this)) {
            return NdStatus.INVALID_PARAMETER;
        }
        boolean unused = adapter.progress().await(overlapped::isCompleted, patience);
        return overlapped.status();
    }

    /** The adapter that made it. */
    final NdAdapter adapter() {
        return adapter;
    }

    /** The request is under way from now on. */
    final NdStatus begin(NdOverlapped overlapped) {
        overlapped.begin(this);
        synchronized (pending) {
            pending.addLast(overlapped);
        }
        adapter.progress().add(this);
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
                adapter.progress().remove(this);
            }
        }
        overlapped.end(this, status);
        file.deliver(overlapped, status);
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

    final boolean hasPending() {
        synchronized (pending) {
            return !pending.isEmpty();
        }
    }

    /** Where it hears of what its requests wait for. */
    NdNews news() {
        return adapter.completionNews();
    }

    /** Looks for what its pending requests wait for and no news tells of; by whoever waits. */
    void look() {}

    /** A request was cancelled: what it had set in motion is called off. */
    void cancelled(NdOverlapped overlapped) {}

    /** All requests that were pending were cancelled, if there were any. */
    void cancelledAll() {}

    @Override
    public String toString() {
        return super.toString() + " of " + adapter;
    }
}
