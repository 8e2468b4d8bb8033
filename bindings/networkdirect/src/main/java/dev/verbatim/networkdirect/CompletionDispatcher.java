// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.function.Consumer;

/** Dispatches the events of a completion channel to the completion queues of an adapter. */
final class CompletionDispatcher implements Dispatcher {

    private final CompletionChannel channel;
    private final ObjectCalls calls;
    private final Consumer<CompletionQueue> announced;
    private volatile boolean gone;

    /**
     * Events of a channel.
     *
     * @param calls of the adapter
     * @param announced is called for each event with its completion queue, after the event was acknowledged
     */
    public CompletionDispatcher(CompletionChannel channel, ObjectCalls calls, Consumer<CompletionQueue> announced) {
        this.channel = channel;
        this.calls = calls;
        this.announced = announced;
    }

    /** Has something called for each event that comes; it must not wait. */
    void onReady(Runnable told) {
        channel.onReady(told);
    }

    @Override
    public void tellOfWait() {
        if (!channel.hasEvent()) {
            calls.waitsFor(channel);
        }
    }

    /** Whether the channel went with its device. */
    public boolean isGone() {
        return gone;
    }

    /** Lets the device make progress, and dispatches the events that are there then. */
    public void poll() {
        boolean isThere = dispatchOne();
        if (isThere) {
            dispatch();
        }
    }

    @Override
    public void dispatch() {
        while (!gone && channel.hasEvent() && dispatchOne()) {
            // The next one.
        }
    }

    private boolean dispatchOne() {
        if (gone) {
            return false;
        }
        try {
            CompletionEvent event = channel.pollEvent();
            if (event != null) {
                tell(event);
            }
            return event != null;
        } catch (VerbsException closed) {
            gone = true;
            return false;
        }
    }

    @Override
    public boolean await(Duration patience) {
        CompletionEvent event;
        try {
            event = channel.getEvent(patience);
        } catch (VerbsException nothing) {
            gone |= nothing.errno() == Errno.EINVAL;
            return Dispatcher.timedOut(nothing);
        }
        tell(event);
        return true;
    }

    private void tell(CompletionEvent event) {
        CompletionQueue queue = event.cq();
        // Acknowledged first: the callback may destroy the queue.
        event.acknowledge();
        announced.accept(queue);
    }
}
