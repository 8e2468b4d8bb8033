// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import dev.verbatim.conformance.narration.Happening;
import dev.verbatim.conformance.narration.Narrator;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;

/** Keeps what happens while the programs of a scenario run, and passes on everything. Any thread. */
final class StoryTap implements Tap, ScenarioRun.Curtain {

    private final Tap next;
    private final List<TraceEvent> events = new ArrayList<>();
    private boolean open;

    StoryTap(Tap next) {
        this.next = next;
    }

    @Override
    public synchronized void on(TraceEvent event) {
        next.on(event);
        if (open) {
            events.add(event);
        }
    }

    @Override
    public synchronized void rises() {
        events.clear();
        open = true;
    }

    @Override
    public synchronized void falls() {
        open = false;
    }

    /** What happened between the two. */
    synchronized List<Happening> told() {
        return events.stream().map(event -> Narrator.tell(0, event)).toList();
    }
}
