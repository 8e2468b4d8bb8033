// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.fold.FoldedEvents;
import dev.verbatim.page.fold.Repeated;
import dev.verbatim.sim.Schedule;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TextTap;
import dev.verbatim.trace.TraceEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The events of a run as text, and between them the choices other than the default. */
final class Story implements Tap {

    private static final int MOST_LINES = 400;
    private static final int VARIANT_BITS = 8;
    private static final String INDENT = "      choice  ";
    private static final String INDENT_OF_REPETITION = "      again   ";

    /** So many events and choices a page has at most: the last. */
    private static final int MOST_DRAWN = 100_000;

    private final FoldedEvents told = new FoldedEvents(MOST_LINES);
    private final RunFacts facts = new RunFacts();
    private final FoldedEvents drawn = new FoldedEvents(MOST_DRAWN);
    private @Nullable TraceEvent first;
    private final Set<String> windows = new TreeSet<>();
    private boolean begun;
    private boolean ended;

    @Override
    public synchronized void on(TraceEvent event) {
        if (!ended) {
            drawn.add(event);
            facts.on(event);
        }
        begun |= !isPreparation(event);
        if (event instanceof TraceEvent.WindowChanged changed) {
            windows.add(keyIndex(event, changed.rkey()));
        }
        if (begun && !ended && !isUntold(event) && !isToldWithItsWindow(event)) {
            first = first == null ? event : first;
            told.add(event);
        }
    }

    /** Drawn and not told: the rules that devices applied, which are many, and polls, which stand in the test itself. */
    private static boolean isUntold(TraceEvent event) {
        return event instanceof TraceEvent.Decided || event instanceof TraceEvent.Polled;
    }

    /** What becomes of a window's key is told by what becomes of the window, which comes just behind. */
    private boolean isToldWithItsWindow(TraceEvent event) {
        return event instanceof TraceEvent.KeyChanged changed && windows.contains(keyIndex(event, changed.key()));
    }

    private static String keyIndex(TraceEvent event, int key) {
        return event.device() + " " + (key >>> VARIANT_BITS);
    }

    /** What programs do before they do something: it is in every test, and tells nothing. */
    private static boolean isPreparation(TraceEvent event) {
        return event instanceof TraceEvent.Decided
                || event instanceof TraceEvent.KeyChanged
                || event instanceof TraceEvent.Connected
                || (event instanceof TraceEvent.WindowChanged changed
                        && changed.change() == TraceEvent.WindowChange.ALLOCATED)
                || (event instanceof TraceEvent.StateChanged changed && changed.reason() == null);
    }

    /** What happens from now on is not told. */
    synchronized void end() {
        ended = true;
    }

    /** What of the run is worth a sentence. */
    RunFacts facts() {
        return facts;
    }

    /** The schedule, whose choices are told; it lets {@code record} decide. */
    Schedule telling(Schedule schedule, ChoiceRecord record) {
        return schedule.reporting((point, what) -> tell(last(record), point, what.get()));
    }

    private static ChoiceList.Deviation last(ChoiceRecord record) {
        List<ChoiceList.Deviation> deviations = record.list().deviations();
        return deviations.get(deviations.size() - 1);
    }

    private synchronized void tell(ChoiceList.Deviation choice, ChoicePoint point, String what) {
        begun = true;
        if (!ended) {
            String line = INDENT + choice + (what.isEmpty() ? "" : ": " + what) + "  "
                    + choice.point().rules();
            told.add(point, line, what);
            drawn.add(point, line, what);
            facts.choice(point, what);
        }
    }

    /** The same, for a page. */
    synchronized RunRecorder run() {
        RunRecorder run = new RunRecorder();
        run.addAll(drawn);
        return run;
    }

    /** The last lines; only what is shown is rendered. */
    @Override
    public synchronized String toString() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        TraceEvent beginning = first;
        try (TextTap events = new TextTap(text)) {
            if (told.forgotten() > 0 && beginning != null) {
                // Times count from the first event, whether it is shown or not.
                events.on(beginning);
                text.reset();
                text.writeBytes(bytes("(" + told.forgotten() + " lines before)\n"));
            }
            told.read(new FoldedEvents.Reader() {
                @Override
                public void event(TraceEvent event) {
                    events.on(event);
                }

                @Override
                public void choice(ChoicePoint point, String line, String what) {
                    text.writeBytes(bytes(line + "\n"));
                }

                @Override
                public void again(Repeated repeated) {
                    text.writeBytes(bytes(INDENT_OF_REPETITION + repeated.wordsSince(beginNanos()) + "\n"));
                }
            });
        }
        String lines = text.toString(StandardCharsets.UTF_8);
        return lines.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Times count from the first event. */
    private long beginNanos() {
        return first == null ? 0 : first.timeNanos();
    }
}
