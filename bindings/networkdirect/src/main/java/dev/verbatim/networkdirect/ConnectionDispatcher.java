// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Dispatches the events of a connection channel to connectors, or to a listener; one thread at a time, which keeps their order. */
final class ConnectionDispatcher implements Dispatcher {

    private final EventChannel channel;
    private final ObjectCalls calls;
    private final BooleanSupplier wanted;
    private final Consumer<CmEvent> heard;
    private final ReentrantLock telling = new ReentrantLock();
    private volatile boolean closed;

    /**
     * Events of a channel, each of which wakes the threads that wait.
     *
     * @param calls of the adapter
     * @param progress of the adapter
     * @param wanted whether the next event is wanted at all; otherwise it stays in the channel
     * @param heard is called with each event, after it was acknowledged
     */
    public ConnectionDispatcher(
            EventChannel channel,
            ObjectCalls calls,
            Progress progress,
            BooleanSupplier wanted,
            Consumer<CmEvent> heard) {
        this.channel = channel;
        this.calls = calls;
        this.wanted = wanted;
        this.heard = heard;
        if (!calls.isSimulated()) {
            channel.onReady(progress::wake);
        }
    }

    /** Where the events come from. */
    public EventChannel channel() {
        return channel;
    }

    /** Whether there is an event that is wanted; costs little. */
    boolean hasEvent() {
        return !closed && wanted.getAsBoolean() && channel.hasEvent();
    }

    @Override
    public void dispatch() {
        // Another thread dispatches already, or a callback has come back here.
        if (!hasEvent() || telling.isHeldByCurrentThread() || !telling.tryLock()) {
            return;
        }
        try {
            calls.runPart(this::tellAll);
        } finally {
            telling.unlock();
        }
    }

    private void tellAll() {
        while (hasEvent()) {
            CmEvent event = channel.pollEvent();
            if (event != null) {
                tell(event);
            }
        }
    }

    @Override
    public boolean await(Duration patience) {
        // A thread that parks here would keep all others from going on.
        if (!telling.tryLock()) {
            return false;
        }
        try {
            if (closed || !wanted.getAsBoolean()) {
                return false;
            }
            CmEvent event = channel.getEvent(patience);
            calls.runPart(() -> tell(event));
            return true;
        } catch (VerbsException nothing) {
            return Dispatcher.timedOut(nothing);
        } finally {
            telling.unlock();
        }
    }

    /**
     * Closes the channel.
     *
     * @throws VerbsException EBUSY while the channel has identifiers
     */
    public void close() {
        channel.close();
        closed = true;
    }

    private void tell(CmEvent event) {
        // Acknowledged first: the callback may close the identifier.
        event.acknowledge();
        heard.accept(event);
    }
}
