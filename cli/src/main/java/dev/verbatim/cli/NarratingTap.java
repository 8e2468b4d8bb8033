// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.conformance.narration.Narrator;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Keeps what happens while the programs of a scenario run, and passes on everything. Any thread. */
final class NarratingTap implements Tap, ScenarioRun.RunObserver {

    /** Longer than any key. */
    private static final Pattern ADDRESS = Pattern.compile("\\b0x([0-9a-f]{9,16})\\b");

    private final Tap next;
    private final List<TraceEvent> events = new ArrayList<>();
    private Map<Long, String> names = Map.of();
    private boolean open;

    NarratingTap(Tap next) {
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
    public synchronized void begins(Map<Long, String> addresses) {
        events.clear();
        names = addresses;
        open = true;
    }

    @Override
    public synchronized void ends() {
        open = false;
    }

    /** What happened between the two, in the words of the scenario: with its names for addresses. */
    synchronized List<NarratedEvent> told() {
        return events.stream().map(event -> named(Narrator.tell(0, event))).toList();
    }

    private NarratedEvent named(NarratedEvent narrated) {
        String text = ADDRESS.matcher(narrated.text()).replaceAll(match -> {
            String name = names.get(Long.parseUnsignedLong(match.group(1), 16));
            return name == null ? match.group() : name;
        });
        return new NarratedEvent(
                narrated.step(),
                narrated.side(),
                narrated.timeNanos(),
                narrated.kind(),
                text,
                narrated.rule(),
                narrated.explanation(),
                narrated.details());
    }
}
