// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous events of a device in the order in which they occurred (AE-20). At most
 * {@link DeviceLimits#MAX_UNREAD_ASYNC_EVENTS} wait to be read.
 */
final class AsyncEventQueue extends WaitPoint {

    private static final System.Logger LOGGER = System.getLogger("dev.verbatim.device");

    private final EmulatedDevice device;
    private final ArrayDeque<EmulatedAsyncEvent> events = new ArrayDeque<>();
    private boolean closed;
    private boolean overflowLogged;

    AsyncEventQueue(EmulatedDevice device) {
        this.device = device;
    }

    /** An event about an element occurred. On the lane. */
    void raise(EventType type, EventElement element, @Nullable Refusal refusal) {
        trace(type, element.tracedQp(), element.tracedSrq(), refusal);
        add(new EmulatedAsyncEvent(type, element, 0, refusal));
    }

    /** An event about the port, or with port 0 about the whole device, occurred. On the lane. */
    void raise(EventType type, int portNumber, @Nullable Refusal refusal) {
        trace(type, 0, 0, refusal);
        add(new EmulatedAsyncEvent(type, null, portNumber, refusal));
    }

    private void trace(EventType type, int qp, int srq, @Nullable Refusal refusal) {
        if (device.isTraced()) {
            device.trace(new TraceEvent.EventRaised(device.lane().nowNanos(), device.name(), qp, srq, type, refusal));
            device.decided(qp, "AE-20");
            device.decided(qp, EmulatedAsyncEvent.ruleOf(type));
        }
    }

    private synchronized void add(EmulatedAsyncEvent event) {
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
    synchronized void forget(EventElement element) {
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
            device.lane().progress();
            event = take();
        }
        return event;
    }

    @Nullable
    AsyncEvent await(Duration patience) {
        EmulatedAsyncEvent event = take();
        while (event == null && device.lane().await(this, Patience.nanos(patience))) {
            event = take();
        }
        return event;
    }

    private synchronized @Nullable EmulatedAsyncEvent take() {
        if (closed) {
            throw VerbsException.of(Errno.EINVAL, "PD-03", "the device was closed");
        }
        EmulatedAsyncEvent event = events.pollFirst();
        while (event != null && !event.taken()) {
            event = events.pollFirst();
        }
        return event;
    }
}
