// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmContext;
import dev.verbatim.cm.protocol.DeviceUser;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.event.EventPoint;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The events of a channel that were not fetched yet. Events are added and taken on the lane, so that taking one, and what it
 * brings about, is one step; only whether there are any is looked at from elsewhere.
 */
final class EventQueue extends EventPoint implements DeviceUser {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final CmContext cm;
    private final ArrayDeque<PendingEvent> events = new ArrayDeque<>();
    private boolean closed;
    private boolean gone;

    EventQueue(CmContext cm) {
        this.cm = cm;
    }

    /** Whether fetching returns an event or throws at once. */
    synchronized boolean hasEvent() {
        cm.lookedAt();
        return !events.isEmpty() || closed;
    }

    @Override
    protected synchronized boolean ready() {
        return hasEvent() || gone;
    }

    @Override
    protected Supplier<String> waitedFor() {
        return () ->
                "no event of a connection has come: a listener gets one when a client connects, a client when its peer accepts or"
                        + " rejects, both when the other one disconnects";
    }

    /** On the lane. */
    void add(PendingEvent event) {
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
        return cm.lane();
    }

    @Override
    protected int waiting() {
        return events.size();
    }

    /** Removes those about an identifier, and gives them. On the lane. */
    List<PendingEvent> removeOf(Identifier about) {
        return drop(events, event -> event.isAbout(about));
    }

    @Nullable
    CmEvent poll() {
        CmEvent event = take(PendingEvent::fetch);
        if (event == null) {
            lane().progress();
            event = take(PendingEvent::fetch);
        }
        return event;
    }

    /** @param fetching makes the event, on the lane */
    CmEvent await(Duration patience, Function<PendingEvent, CmEvent> fetching) {
        VerbsException.requireNonNull(patience, "patience");
        long nanos = patience.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : patience.toNanos();
        CmEvent event = takeIfOneMayCome(fetching);
        if (event == null) {
            event = lane().awaitTaken(this, () -> takeIfOneMayCome(fetching), nanos);
        }
        if (event == null) {
            throw lane().timedOut(Rule.CM_06, "event of a connection", patience);
        }
        return event;
    }

    private @Nullable CmEvent take(Function<PendingEvent, CmEvent> fetching) {
        if (!hasEvent()) {
            return null;
        }
        List<CmEvent> taken = new ArrayList<>(1);
        cm.call(() -> {
            PendingEvent first = removeFirst();
            if (first != null) {
                taken.add(fetching.apply(first));
            }
        });
        return taken.isEmpty() ? null : taken.get(0);
    }

    private synchronized @Nullable PendingEvent removeFirst() {
        requireOpen();
        return events.pollFirst();
    }

    private @Nullable CmEvent takeIfOneMayCome(Function<PendingEvent, CmEvent> fetching) {
        CmEvent event = take(fetching);
        if (event == null) {
            requireOneMayCome();
        }
        return event;
    }

    /** Nothing comes any more from a device that is gone. */
    private synchronized void requireOneMayCome() {
        if (gone && events.isEmpty()) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.CM_29, "the device of the event channel was closed, and it has no more events");
        }
    }

    /** The device is gone: what is there can still be fetched, and nothing comes any more. On the lane. */
    @Override
    public synchronized void deviceClosed() {
        gone = true;
        signal();
    }

    /** Closing twice gives ENOENT, as for every object. */
    synchronized void requireNotClosedBefore() {
        if (closed) {
            throw VerbsException.of(Errno.ENOENT, Rule.CM_29, "the event channel was closed before");
        }
    }

    @Override
    protected synchronized void requireOpen() {
        if (closed) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_29, "the event channel was closed");
        }
    }

    synchronized void close() {
        requireNotClosedBefore();
        closed = true;
        signal();
    }
}
