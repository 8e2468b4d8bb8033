// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.Patience;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.event.EventPoint;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous events of a device in the order in which they occurred (AE-20). At most
 * {@link DeviceLimits#MAX_UNREAD_ASYNC_EVENTS} wait to be read.
 *
 * <p>Whether an event that has occurred can be read already is nobody's business until a program looks (N11). So it is asked
 * for then, of the oldest; one that is not there yet comes later, as an effect. Who waits for an event goes on with what has
 * occurred: that it came late is the same as that he who waited went on late.
 */
public final class AsyncEventQueue extends EventPoint {

    private static final System.Logger LOGGER = System.getLogger("dev.verbatim.device");

    private static final int ROOM_FROM_THE_START = 1 << 6;

    private final DeviceContext device;
    /** Made with room for a few: what is raised when the heap is full finds room. */
    private final ArrayDeque<EmulatedAsyncEvent> events = new ArrayDeque<>(ROOM_FROM_THE_START);

    /** That the oldest can be read, after a program has looked in vain. */
    private @Nullable LateEvent late;

    private long lateSoFar;
    private boolean closed;
    private boolean overflowLogged;

    public AsyncEventQueue(DeviceContext device) {
        this.device = device;
    }

    /** An event about an element occurred. On the lane. */
    public void raise(EventType type, EventElement element, @Nullable Refusal refusal) {
        boolean isOfPeer =
                type == EventType.QP_REQ_ERR || type == EventType.QP_ACCESS_ERR || type == EventType.COMM_EST;
        if (isOfPeer && !device.profile().completions().violationEvents()) {
            return;
        }
        occurred(new EmulatedAsyncEvent(type, element, 0, refusal));
    }

    /** An event about the port, or with port 0 about the whole device, occurred. On the lane. */
    public void raise(EventType type, int portNumber, @Nullable Refusal refusal) {
        occurred(new EmulatedAsyncEvent(type, null, portNumber, refusal));
    }

    /** An event occurred. On the lane. */
    public void occurred(EmulatedAsyncEvent event) {
        DeviceInspector inspector = device.inspector();
        if (inspector != null) {
            inspector.raised(event.type());
        }
        if (device.isTraced()) {
            device.decided(event.tracedQp(), Rule.AE_20);
            device.decided(event.tracedQp(), EmulatedAsyncEvent.ruleOf(event.type()));
            device.trace(event.traced(device.lane().nowNanos(), device.name()));
        }
        add(event);
    }

    private void add(EmulatedAsyncEvent event) {
        tell(hold(event));
    }

    /** Returns who is to be told; null for nobody. */
    private synchronized @Nullable Callback hold(EmulatedAsyncEvent event) {
        if (events.size() < DeviceLimits.MAX_UNREAD_ASYNC_EVENTS) {
            events.addLast(event);
            signal();
            return callback();
        }
        if (!overflowLogged) {
            overflowLogged = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} asynchronous events wait unread; later ones are dropped: read them with getAsyncEvent",
                    events.size());
        }
        return null;
    }

    /** The element is destroyed: unread events about it go with it. On the lane. */
    public void forget(EventElement element) {
        synchronized (this) {
            EmulatedAsyncEvent oldest = events.peekFirst();
            if (oldest != null && oldest.isAbout(element)) {
                settle();
            }
        }
        drop(events, event -> event.isAbout(element));
    }

    private void settle() {
        LateEvent entry = late;
        if (entry != null) {
            device.lane().settle(entry);
            late = null;
        }
    }

    public synchronized void close() {
        closed = true;
        signal();
    }

    @Override
    protected boolean ready() {
        return !events.isEmpty() || closed;
    }

    @Override
    protected Lane lane() {
        return device.lane();
    }

    @Override
    protected int waiting() {
        device.lane().touched(device.name(), DevicePart.EVENTS);
        return events.size();
    }

    /** Whether one can be taken, or never will be. */
    public synchronized boolean hasEvent() {
        device.lane().touched(device.name(), DevicePart.EVENTS);
        return ready();
    }

    @Nullable
    public AsyncEvent poll() {
        EmulatedAsyncEvent event = look();
        if (event == null) {
            device.lane().progress();
            event = look();
        } else {
            device.lane().giveWay();
        }
        return event;
    }

    public AsyncEvent await(Duration patience) {
        EmulatedAsyncEvent event = take();
        if (event == null) {
            event = device.lane().awaitTaken(this, this::take, Patience.nanos(patience));
        } else {
            device.lane().giveWay();
        }
        if (event == null) {
            throw device.lane().timedOut(Rule.AE_20, "asynchronous event", patience);
        }
        return event;
    }

    /** Takes the oldest if it can be read already. */
    private @Nullable EmulatedAsyncEvent look() {
        return fetch(this::canBeRead);
    }

    private boolean canBeRead() {
        if (!events.isEmpty() && late == null && isLate()) {
            late = new LateEvent(this, lateSoFar++);
            device.lane().defer(late);
        }
        return late == null || late.hasCome();
    }

    /** A program looks, which it cannot once the device is closed. */
    private void touched() {
        device.lane().touched(device.name(), DevicePart.EVENTS);
        requireOpen();
    }

    @Override
    protected void requireOpen() {
        if (closed) {
            throw VerbsException.of(Errno.EINVAL, Rule.PD_03, "the device was closed");
        }
    }

    /** What was told of as added is not late. */
    private boolean isLate() {
        return callback() == null
                && device.lane().defers(ChoicePoint.ASYNC_EVENT)
                && device.lane().choices().choose(ChoicePoint.ASYNC_EVENT, 2) == 1;
    }

    /** Takes the oldest, whether it can be read already or not: whoever waits for it does not look beside it. */
    private @Nullable EmulatedAsyncEvent take() {
        return fetch(() -> true);
    }

    /** Takes the oldest, if one can be read. */
    private @Nullable EmulatedAsyncEvent fetch(BooleanSupplier canBeRead) {
        EmulatedAsyncEvent event = null;
        Callback told;
        int tooLate = 0;
        synchronized (this) {
            touched();
            if (canBeRead.getAsBoolean()) {
                settle();
                event = events.pollFirst();
                while (event != null && !event.taken()) {
                    tooLate++;
                    event = events.pollFirst();
                }
            }
            DeviceInspector inspector = device.inspector();
            if (inspector != null && event != null) {
                inspector.eventTaken(event);
            }
            told = callback();
        }
        tellDropped(told, tooLate);
        return event;
    }

    /** The oldest can be read now. On the lane. */
    void oldestCame() {
        device.lane().touched(device.name(), DevicePart.EVENTS);
        signal();
    }

    @Override
    public String toString() {
        return device.name();
    }
}
