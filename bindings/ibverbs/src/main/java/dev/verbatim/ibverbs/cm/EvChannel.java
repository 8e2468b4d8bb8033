// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.pollfd;
import dev.verbatim.ibverbs.abi.Layouts.rdma_event_channel;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.wait.Signal;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct rdma_event_channel}, whose descriptor is readable while events wait. Unlike a channel of the device it has no device:
 * it has a part for each port whose identifiers use it.
 */
final class EvChannel extends Struct {

    /** The struct has no handle, so one is behind it. */
    static final Table<EvChannel> TABLE = new Table<>(new Field.I32(rdma_event_channel.SIZE), "rdma_event_channel");

    private static final int POLLIN = 1;
    private static final int FOR_EVER = -1;
    private static final int MOST_DESCRIBED = 4;

    static {
        Waits.ofEvents("take_cm_event", channel -> {
            EvChannel of = TABLE.find(channel);
            return of == null ? null : of.awaited();
        });
        Waits.ofOthers(
                () -> 0,
                isNobodyKnown -> TABLE.all().stream()
                        .filter(EvChannel::isNotFetched)
                        .map(EvChannel::notFetched)
                        .toList());
    }

    private final Signal signal = new Signal();
    private final Map<Home, EventChannel> parts = new ConcurrentHashMap<>();

    /** Events that no device tells of, but this library. */
    private final ArrayDeque<Event> own = new ArrayDeque<>();

    EvChannel() {
        super(rdma_event_channel.SIZE + Integer.BYTES);
        rdma_event_channel.fd.set(address(), signal.descriptor());
        TABLE.add(this);
    }

    /** Its part of a port. Not on the device's thread. */
    EventChannel on(Home home) {
        EventChannel known = parts.get(home);
        if (known != null) {
            return known;
        }
        EventChannel opened = EventChannel.open(home.device(), home.port(), CmOptions.USUAL);
        EventChannel other = parts.putIfAbsent(home, opened);
        if (other != null) {
            opened.close();
            return other;
        }
        opened.onReady(signal::raise, signal::lower);
        return opened;
    }

    /** Adds an event that no device tells of. */
    void add(Event event) {
        synchronized (own) {
            own.add(event);
        }
        signal.raise();
    }

    /** Moves the events of an identifier that no device tells of. */
    void moveEvents(Id of, EvChannel to) {
        List<Event> moved = new ArrayList<>();
        synchronized (own) {
            own.removeIf(event -> event.isAbout(of) && moved.add(event));
        }
        for (Event event : moved) {
            signal.lower();
            to.add(event);
        }
    }

    /** Drops the events of an identifier that is destroyed. */
    void dropEvents(Id of) {
        synchronized (own) {
            own.removeIf(event -> event.isAbout(of) && dropped(event));
        }
    }

    private boolean dropped(Event event) {
        signal.lower();
        return event.drop();
    }

    /** The next event, which does the work of fetching it; null if there is none. */
    @Nullable
    Event take() {
        synchronized (own) {
            for (Event event = own.poll(); event != null; event = own.poll()) {
                if (event.isTaken()) {
                    return event;
                }
                signal.lower();
            }
        }
        for (Map.Entry<Home, EventChannel> part : parts.entrySet()) {
            for (CmEvent event = part.getValue().pollEvent();
                    event != null;
                    event = part.getValue().pollEvent()) {
                Event described = Arrivals.describe(event, this, part.getKey());
                if (described != null) {
                    return described;
                }
                signal.lower();
            }
        }
        return null;
    }

    /**
     * Waits for the next event, as {@code rdma_get_cm_event} does in C.
     *
     * @throws Refused EINTR if a signal was handled
     */
    Event await() {
        long room = Native.allocate(pollfd.SIZE + Long.BYTES);
        List<Event> found = new ArrayList<>(1);
        try {
            pollfd.fd.set(room, signal.descriptor());
            pollfd.events.set(room, POLLIN);
            Waits.during("a call of a synchronous rdma_cm_id", this::awaited, () -> {
                while (found.isEmpty()) {
                    int ready = Native.poll(room, 1, FOR_EVER);
                    if (ready < 0) {
                        throw new Refused(-ready, "poll failed");
                    }
                    long unused = Native.read(signal.descriptor(), room + pollfd.SIZE, Long.BYTES);
                    Event event = take();
                    if (event != null) {
                        found.add(event);
                    }
                }
            });
            return found.get(0);
        } finally {
            Native.free(room);
        }
    }

    private boolean isNotFetched() {
        return parts.values().stream().anyMatch(EventChannel::hasEvent);
    }

    private Waits.Wait notFetched() {
        String what = "an event of a connection waits, and no call of rdma_get_cm_event fetches it: "
                + described(Id::toString);
        return new Waits.Wait(null, null, what, null, null);
    }

    private String described(Function<Id, String> words) {
        List<String> all = Id.TABLE.all().stream()
                .filter(id -> id.channel() == this)
                .limit(MOST_DESCRIBED)
                .map(words)
                .toList();
        return all.isEmpty() ? "it has no identifiers" : String.join("; ", all);
    }

    /** What its next event would be of. */
    Waits.Wait awaited() {
        String what = "has waited for an event";
        String of = described(Id::awaited);
        boolean isIdle = Id.TABLE.all().stream().allMatch(id -> id.channel() != this || id.isListening());
        return isIdle
                ? new Waits.Wait(null, null, what + ": " + of, null, null)
                : new Waits.Wait(null, null, what, Refusal.of(Rule.CM_06, "%s", of), null);
    }

    /** Destroys it. Identifiers that use it still can only be destroyed. */
    void destroy() {
        signal.close();
        parts.values().forEach(part -> part.onReady(null));
        closeParts();
        TABLE.remove(this);
    }

    /** An identifier does not use it any more. */
    void left() {
        if (signal.isClosed()) {
            closeParts();
        }
    }

    /** Closes the parts that no identifier uses. */
    private void closeParts() {
        parts.values().removeIf(part -> {
            try {
                part.close();
                return true;
            } catch (VerbsException e) {
                return e.errno() != Errno.EBUSY;
            }
        });
    }
}
