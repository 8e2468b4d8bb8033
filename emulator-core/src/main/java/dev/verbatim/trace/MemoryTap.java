// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.util.ArrayList;
import java.util.List;

/** Keeps the events, oldest first, and drops those beyond its bound (the newest) while it counts them. */
public final class MemoryTap implements Tap {

    private final int mostEvents;
    private final List<TraceEvent> events = new ArrayList<>();
    private long dropped;

    /** Keeps at most {@code mostEvents} events. */
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

    /** A copy of what was kept. */
    public synchronized List<TraceEvent> events() {
        return List.copyOf(events);
    }

    /** How many events there was no room for. */
    public synchronized long dropped() {
        return dropped;
    }

    /** Forgets everything. */
    public synchronized void clear() {
        events.clear();
        dropped = 0;
    }

    @Override
    public synchronized String toString() {
        return "events in memory=" + events.size() + " of at most " + mostEvents;
    }
}
