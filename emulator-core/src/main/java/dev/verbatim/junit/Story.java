// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.sim.Schedule;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TextTap;
import dev.verbatim.trace.TraceEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The events of a run as text, and between them the choices other than the default. */
final class Story implements Tap {

    private static final int MOST_LINES = 400;
    private static final int VARIANT_BITS = 8;
    private static final String INDENT = "      choice  ";

    private final LastLines lines = new LastLines(MOST_LINES);
    private final TextTap events = new TextTap(lines);
    private final RunRecorder run = new RunRecorder();
    private final Set<String> windows = new TreeSet<>();
    private boolean begun;
    private boolean ended;

    @Override
    public synchronized void on(TraceEvent event) {
        if (!ended) {
            run.on(event);
        }
        begun |= !isPreparation(event);
        if (event instanceof TraceEvent.WindowChanged changed) {
            windows.add(keyIndex(event, changed.rkey()));
        }
        if (begun && !ended && !isToldWithItsWindow(event)) {
            events.on(event);
        }
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

    /** The schedule, whose choices are told; it lets {@code record} decide. */
    Schedule telling(Schedule schedule, ChoiceRecord record) {
        return schedule.reporting((point, what) -> {
            tell(last(record), what.get());
            drawChoice(point, what.get());
        });
    }

    private synchronized void drawChoice(ChoicePoint point, String what) {
        if (!ended) {
            run.choice(point, what);
        }
    }

    /** The same, for a page. */
    RunRecorder run() {
        return run;
    }

    private static ChoiceList.Deviation last(ChoiceRecord record) {
        List<ChoiceList.Deviation> deviations = record.list().deviations();
        return deviations.get(deviations.size() - 1);
    }

    private synchronized void tell(ChoiceList.Deviation choice, String what) {
        begun = true;
        if (ended) {
            return;
        }
        String line = INDENT + choice + (what.isEmpty() ? "" : ": " + what) + "  "
                + choice.point().rules() + "\n";
        lines.writeBytes(line.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return lines.toString();
    }
}
