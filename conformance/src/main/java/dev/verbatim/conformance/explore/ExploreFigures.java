// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceTally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** What many runs came to: how large the programs were, which choices were made, what was seen and what was wrong. */
public final class ExploreFigures {

    /** How often each choice point is to be taken at another alternative than the first in a run that means something. */
    public static final int ENOUGH_DEVIATIONS = 100;

    private final List<ProgramFigures> programs = new ArrayList<>();
    private final ChoiceTally tally = new ChoiceTally();
    private final Map<String, Long> statuses = new TreeMap<>();
    private final Map<WeakBehaviour, Long> weakBehaviours = new EnumMap<>(WeakBehaviour.class);
    private final Map<Check, Long> checks = new EnumMap<>(Check.class);
    private final Map<Gap, Long> gaps = new EnumMap<>(Gap.class);
    private final TreeSet<String> kindsOfRuns = new TreeSet<>();
    private long packets;
    private long events;
    private long virtualNanos;
    private int failures;

    /** Nothing yet. */
    public ExploreFigures() {}

    /** One more program has run. */
    public void add(Scenario program, ProgramResult executed) {
        programs.add(ProgramFigures.of(program));
        tally.add(executed.tally());
        executed.statuses().forEach((status, count) -> statuses.merge(status, count, Long::sum));
        executed.verdict().weakBehaviours().forEach((weak, count) -> weakBehaviours.merge(weak, count, Long::sum));
        executed.verdict().checks().forEach((check, count) -> checks.merge(check, count, Long::sum));
        executed.verdict().notJudged().forEach((gap, count) -> gaps.merge(gap, count, Long::sum));
        kindsOfRuns.add(executed.statuses().keySet() + " "
                + executed.verdict().weakBehaviours().keySet());
        packets += executed.packets();
        events += executed.verdict().events();
        virtualNanos += executed.virtualNanos();
        failures += executed.isGood() ? 0 : 1;
    }

    /** How many programs ran. */
    public int programs() {
        return programs.size();
    }

    /** How many of them showed something wrong. */
    public int failures() {
        return failures;
    }

    /** Which choices were made. */
    public ChoiceTally tally() {
        return tally;
    }

    /** How many packets were sent. */
    public long packets() {
        return packets;
    }

    /** How many events the traces had. */
    public long events() {
        return events;
    }

    /** How much virtual time passed. */
    public long virtualNanos() {
        return virtualNanos;
    }

    /** How many different runs there were, told apart by the statuses of their completions and by what was weak in them. */
    public int kindsOfRuns() {
        return kindsOfRuns.size();
    }

    /** Completions by status. */
    public Map<String, Long> statuses() {
        return statuses;
    }

    /** How often permitted behaviour was seen that is weaker than the default. */
    public Map<WeakBehaviour, Long> weakBehaviours() {
        return weakBehaviours;
    }

    /** How often each check was made. */
    public Map<Check, Long> checks() {
        return checks;
    }

    /** What could not be judged. */
    public Map<Gap, Long> gaps() {
        return gaps;
    }

    /** The median of something over all programs; the lower one of two. */
    public int median(ToIntFunction<ProgramFigures> figure) {
        int[] values = programs.stream().mapToInt(figure).sorted().toArray();
        return values.length == 0 ? 0 : values[(values.length - 1) / 2];
    }

    /** The points that were too seldom taken at another alternative than the first. */
    public List<ChoicePoint> tooSeldom() {
        return Arrays.stream(ChoicePoint.values())
                .filter(point -> tally.deviated(point) < ENOUGH_DEVIATIONS)
                .toList();
    }
}
