// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import dev.verbatim.conformance.narration.Narrator;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;

/** Notes what a device does until the page is torn out at the end of a step. */
final class StepRecorder implements Tap {

    private final Queue<IntFunction<NarratedEvent>> page = new ConcurrentLinkedQueue<>();

    @Override
    public void on(TraceEvent event) {
        page.add(step -> Narrator.tell(step, event));
    }

    /** Notes what a program did. */
    void program(String side, Kind kind, String text) {
        page.add(step -> NarratedEvent.ofProgram(step, side, kind, text));
    }

    /** What was noted since the last time, as part of this step. */
    List<NarratedEvent> tearOut(int step) {
        List<NarratedEvent> narratedEvents = new ArrayList<>();
        for (IntFunction<NarratedEvent> noted = page.poll(); noted != null; noted = page.poll()) {
            narratedEvents.add(noted.apply(step));
        }
        return narratedEvents;
    }
}
