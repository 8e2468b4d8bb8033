// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.profile.DeviceLimits;
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
    private final ArrayDeque<HeldEvent> held = new ArrayDeque<>();
    private long heldSoFar;
    private boolean closed;
    private boolean overflowLogged;

    AsyncEventQueue(EmulatedDevice device) {
        this.device = device;
    }

    /** An event about an element occurred. On the lane. */
    void raise(EventType type, EventElement element, @Nullable Refusal refusal) {
        boolean isOfPeer =
                type == EventType.QP_REQ_ERR || type == EventType.QP_ACCESS_ERR || type == EventType.COMM_EST;
        if (isOfPeer && !device.profile().completions().violationEvents()) {
            return;
        }
        occurred(new EmulatedAsyncEvent(type, element, 0, refusal));
    }

    /** An event about the port, or with port 0 about the whole device, occurred. On the lane. */
    void raise(EventType type, int portNumber, @Nullable Refusal refusal) {
        occurred(new EmulatedAsyncEvent(type, null, portNumber, refusal));
    }

    private void occurred(EmulatedAsyncEvent event) {
        if (device.isTraced()) {
            device.decided(event.tracedQp(), "AE-20");
            device.decided(event.tracedQp(), EmulatedAsyncEvent.ruleOf(event.type()));
        }
        if (device.lane().postpones(ChoicePoint.ASYNC_EVENT)) {
            HeldEvent entry = new HeldEvent(this, event, heldSoFar++);
            held.addLast(entry);
            device.lane().postpone(entry);
        } else {
            show(event);
        }
    }

    @SuppressWarnings("ReferenceEquality") // an entry is its identity
    boolean isOldestHeld(HeldEvent entry) {
        return held.peekFirst() == entry;
    }

    /** Programs can read it from now on. On the lane. */
    void deliver(HeldEvent entry) {
        held.remove(entry);
        show(entry.event());
    }

    private void show(EmulatedAsyncEvent event) {
        if (device.isTraced()) {
            device.trace(event.traced(device.lane().nowNanos(), device.name()));
        }
        add(event);
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

    /** The element is destroyed: unread events about it go with it. On the lane. */
    void forget(EventElement element) {
        held.removeIf(entry -> {
            boolean goes = entry.event().isAbout(element);
            if (goes) {
                device.lane().settle(entry);
            }
            return goes;
        });
        synchronized (this) {
            events.removeIf(event -> event.isAbout(element));
        }
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

    @Override
    public String toString() {
        return device.name();
    }
}
