// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.util.ArrayList;
import java.util.List;

/** Stores events in memory, oldest first, up to a limit; later events are counted and dropped. */
public final class MemoryTap implements Tap {

    private final int mostEvents;
    private final List<TraceEvent> events = new ArrayList<>();
    private long dropped;

    /** Stores at most {@code mostEvents} events. */
    public MemoryTap(int mostEvents) {
        this.mostEvents = mostEvents;
    }

    @Override
    public synchronized void on(TraceEvent event) {
        if (events.size() < mostEvents) {
            events.add(event);
        } else {
            dropped++;
        }
    }

    /** A copy of the stored events. */
    public synchronized List<TraceEvent> events() {
        return List.copyOf(events);
    }

    /** Number of dropped events. */
    public synchronized long dropped() {
        return dropped;
    }

    /** Removes all events and resets the count. */
    public synchronized void clear() {
        events.clear();
        dropped = 0;
    }

    @Override
    public synchronized String toString() {
        return "events in memory=" + events.size() + " of at most " + mostEvents;
    }
}
