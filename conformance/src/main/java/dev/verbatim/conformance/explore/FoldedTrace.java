// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.fold.FoldedEvents;
import dev.verbatim.page.fold.Repeated;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TextTap;
import dev.verbatim.trace.TraceEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The events of a run of a random program. Those that come again and again, as RNR NAKs do, are kept once with a count. */
public final class FoldedTrace implements Tap {

    /** So many events are kept, which is more than a run has. */
    private static final int MOST = 1_000_000;

    private final FoldedEvents events = new FoldedEvents(MOST);
    private @Nullable TraceEvent first;

    /** Has no events yet. */
    public FoldedTrace() {}

    @Override
    public void on(TraceEvent event) {
        first = first == null ? event : first;
        events.add(event);
    }

    /** A choice between the events. */
    public void choice(ChoicePoint point, String what) {
        events.add(point, what, what);
    }

    /** Adds what is kept to a drawing. */
    public void drawOn(RunRecorder run) {
        run.addAll(events);
    }

    private long beginNanos() {
        return first == null ? 0 : first.timeNanos();
    }

    /** The events as text, without choices. */
    public String text() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (TextTap lines = new TextTap(text)) {
            events.read(new FoldedEvents.Reader() {
                @Override
                public void event(TraceEvent event) {
                    lines.on(event);
                }

                @Override
                public void choice(ChoicePoint point, String line, String what) {
                    // A trace as text has no choices.
                }

                @Override
                public void again(Repeated repeated) {
                    text.writeBytes(("      again   " + repeated.wordsSince(beginNanos()) + "\n")
                            .getBytes(StandardCharsets.UTF_8));
                }
            });
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}
