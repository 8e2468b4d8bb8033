// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.Patience;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.event.EventPoint;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A completion channel: the events of its completion queues in the order in which they fired (NT-06, NT-07). */
public final class EmulatedCompletionChannel extends EventPoint implements CompletionChannel {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final DeviceContext device;
    private final Consumer<EmulatedCompletionChannel> destroyed;
    private final ArrayDeque<EmulatedCompletionEvent> events = new ArrayDeque<>();
    private volatile boolean isNonBlocking;
    private final List<EmulatedCompletionQueue> users = new ArrayList<>();
    private boolean open = true;

    /**
     * A channel without queues.
     *
     * @param destroyed called when its program has destroyed it
     */
    EmulatedCompletionChannel(DeviceContext device, Consumer<EmulatedCompletionChannel> destroyed) {
        this.device = device;
        this.destroyed = destroyed;
    }

    DeviceContext device() {
        return device;
    }

    synchronized void addUser(EmulatedCompletionQueue cq) {
        requireOpen();
        users.add(cq);
    }

    /** The queue is destroyed: its unread events go with it. */
    void removeUser(EmulatedCompletionQueue cq) {
        synchronized (this) {
            users.remove(cq);
        }
        drop(events, event -> event.isOf(cq));
    }

    void enqueue(EmulatedCompletionEvent event) {
        Callback told;
        synchronized (this) {
            events.addLast(event);
            signal();
            told = callback();
        }
        tell(told);
    }

    @Override
    protected Lane lane() {
        return device.lane();
    }

    @Override
    protected int waiting() {
        device.lane().touched(device.name(), DevicePart.COMPLETIONS);
        return events.size();
    }

    @Override
    protected boolean ready() {
        device.lane().touched(device.name(), DevicePart.COMPLETIONS);
        return !events.isEmpty() || !open;
    }

    @Override
    public boolean hasEvent() {
        return isReady();
    }

    @Override
    public @Nullable CompletionEvent pollEvent() {
        EmulatedCompletionEvent event = take();
        if (event == null) {
            device.lane().progress();
            event = take();
        } else {
            device.lane().giveWay();
        }
        return event;
    }

    @Override
    public CompletionEvent getEvent(Duration patience) {
        tellOfWait();
        EmulatedCompletionEvent event = take();
        if (event != null) {
            device.lane().giveWay();
        }
        try {
            if (event == null) {
                event = device.lane().awaitTaken(this, this::take, Patience.nanos(patience));
            }
            if (event == null) {
                throw device.lane().timedOut(Rule.NT_06, "completion event", patience);
            }
            return event;
        } catch (VerbsException e) {
            throw explain(e);
        }
    }

    private VerbsException explain(VerbsException end) {
        return MissingCompletions.explainEvent(end, device, queues());
    }

    private synchronized List<EmulatedCompletionQueue> queues() {
        return List.copyOf(users);
    }

    @Override
    protected Supplier<String> waitedFor() {
        return () -> reasonOfWait().toString();
    }

    @Override
    public Refusal reasonOfWait() {
        return MissingCompletions.eventReason(device, queues());
    }

    private @Nullable EmulatedCompletionEvent take() {
        EmulatedCompletionEvent event;
        Callback told;
        int tooLate = 0;
        synchronized (this) {
            requireOpen();
            device.lane().touched(device.name(), DevicePart.COMPLETIONS);
            event = events.pollFirst();
            while (event != null && !event.taken()) {
                tooLate++;
                event = events.pollFirst();
            }
            DeviceInspector inspector = device.inspector();
            if (inspector != null && event != null) {
                inspector.eventTaken(this, event.cq());
            }
            told = callback();
        }
        tellDropped(told, tooLate);
        return event;
    }

    private void tellOfWait() {
        DeviceInspector inspector = device.inspector();
        if (inspector != null) {
            inspector.waitsFor(this, isReady());
        }
    }

    @Override
    protected void requireOpen() {
        if (!open) {
            throw VerbsException.of(Errno.EINVAL, Rule.PD_03, "the completion channel was destroyed");
        }
    }

    @Override
    public CompletionEvent getEvent() {
        CompletionEvent event = isNonBlocking ? pollEvent() : getEvent(FOREVER);
        if (event == null) {
            throw VerbsException.of(
                    Errno.EAGAIN, Rule.NT_06, "the channel does not block and has no event now; wait for one first");
        }
        return event;
    }

    @Override
    public void nonBlocking(boolean value) {
        isNonBlocking = value;
    }

    @Override
    public void close() {
        device.lane().call(this::destroy);
    }

    /** The device goes, whoever waits here. */
    synchronized void abandon() {
        open = false;
        signal();
    }

    private synchronized void destroy() {
        if (!open) {
            throw VerbsException.of(Errno.ENOENT, Rule.PD_03, "the completion channel was destroyed before");
        }
        if (!users.isEmpty()) {
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.PD_05,
                    "the channel is used by %d completion queues; destroy them first",
                    users.size());
        }
        open = false;
        signal();
        destroyed.accept(this);
        device.closed(this);
    }

    @Override
    public String toString() {
        return "completion channel of " + device.name();
    }
}
