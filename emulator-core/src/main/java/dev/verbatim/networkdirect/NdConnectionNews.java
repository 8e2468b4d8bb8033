// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Tells connectors, or a listener, what a channel says of their connections; one thread at a time, so that they hear it in order. */
final class NdConnectionNews implements NdNews {

    private final EventChannel channel;
    private final BooleanSupplier wanted;
    private final Consumer<CmEvent> heard;
    private final ReentrantLock telling = new ReentrantLock();
    private volatile boolean closed;

    /**
     * News of a channel.
     *
     * @param wanted whether the next event is wanted at all; those that are not wait in the channel
     */
    NdConnectionNews(EventChannel channel, BooleanSupplier wanted, Consumer<CmEvent> heard) {
        this.channel = channel;
        this.wanted = wanted;
        this.heard = heard;
    }

    EventChannel channel() {
        return channel;
    }

    /** Whether there is anything; little work for those who look often. */
    boolean isThere() {
        return !closed && wanted.getAsBoolean() && channel.hasEvent();
    }

    @Override
    public void take() {
        // Who is in there already tells what there is, and whoever is told may look here again.
        if (!isThere() || telling.isHeldByCurrentThread() || !telling.tryLock()) {
            return;
        }
        try {
            while (isThere()) {
                CmEvent event = channel.pollEvent();
                if (event != null) {
                    tell(event);
                }
            }
        } finally {
            telling.unlock();
        }
    }

    @Override
    public boolean park(Duration patience) {
        if (!enter(patience)) {
            return false;
        }
        try {
            if (closed || !wanted.getAsBoolean()) {
                return false;
            }
            tell(channel.getEvent(patience));
            return true;
        } catch (VerbsException nothing) {
            return NdNews.timedOut(nothing);
        } finally {
            telling.unlock();
        }
    }

    /** Nobody hears of it any more. EBUSY while the channel has identifiers. */
    void close() {
        channel.close();
        closed = true;
    }

    private boolean enter(Duration patience) {
        try {
            return telling.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void tell(CmEvent event) {
        // Given back first: the identifier may be closed by who is told.
        event.acknowledge();
        heard.accept(event);
    }
}
