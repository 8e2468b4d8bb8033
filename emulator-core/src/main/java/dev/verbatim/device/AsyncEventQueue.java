// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a device in the order in which they occurred (AE-20). */
final class AsyncEventQueue extends WaitPoint {

    private static final System.Logger LOGGER = System.getLogger("dev.verbatim.device");

    private final Lane lane;
    private final ArrayDeque<EmulatedAsyncEvent> events = new ArrayDeque<>();
    private boolean closed;
    private boolean overflowLogged;

    AsyncEventQueue(Lane lane) {
        this.lane = lane;
    }

    synchronized void add(EmulatedAsyncEvent event) {
        if (events.size() < DeviceLimits.MAX_UNREAD_ASYNC_EVENTS) {
            events.addLast(event);
            signal();
        } else if (!overflowLogged) {
            overflowLogged = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} asynchronous events wait unread; later ones are dropped: read them with getAsyncEvent",
                    events.size());
        }
    }

    /** The element is destroyed: unread events about it go with it. */
    synchronized void forget(Object element) {
        events.removeIf(event -> event.isAbout(element));
    }

    synchronized void close() {
        closed = true;
        signal();
    }

    @Override
    protected boolean ready() {
        return !events.isEmpty() || closed;
    }

    @Nullable
    AsyncEvent poll() {
        EmulatedAsyncEvent event = take();
        if (event == null) {
            lane.progress();
            event = take();
        }
        return event;
    }

    @Nullable
    AsyncEvent await(Duration patience) {
        EmulatedAsyncEvent event = take();
        while (event == null && lane.await(this, Patience.nanos(patience))) {
            event = take();
        }
        return event;
    }

    private synchronized @Nullable EmulatedAsyncEvent take() {
        if (closed) {
            throw VerbsException.of(Errno.EINVAL, "PD-03", "the device was closed");
        }
        EmulatedAsyncEvent event = events.pollFirst();
        if (event != null) {
            event.taken();
        }
        return event;
    }
}
