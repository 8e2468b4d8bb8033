// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceTally;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What many runs came to: how large the programs were, which choices were made, what was seen and what was wrong. All of it is counted,
 * so that the figures of parts of a job, of whichever machines and in any order, add up to those of the whole.
 */
public final class ExploreFigures {

    /** How often each choice point is to be taken at another alternative than the first in a run that means something. */
    public static final int ENOUGH_DEVIATIONS = 100;

    /** What is counted, each by names of its own. */
    private enum Table {
        TOTALS,
        QUEUE_PAIRS,
        REQUESTS,
        FEATURES,
        ASKED,
        DEVIATED,
        STATUSES,
        WEAK_BEHAVIOURS,
        CHECKS,
        NOT_JUDGED,
        KINDS_OF_RUNS
    }

    private final Map<Table, Map<String, Long>> tables = new EnumMap<>(Table.class);

    /** Nothing yet. */
    public ExploreFigures() {
        Arrays.stream(Table.values()).forEach(table -> tables.put(table, new TreeMap<>()));
    }

    /** One more program has run. */
    public void add(Scenario program, ProgramResult executed) {
        ProgramFigures figures = ProgramFigures.of(program);
        count(Table.QUEUE_PAIRS, figures.queuePairs());
        count(Table.REQUESTS, figures.requests());
        count(Table.FEATURES, figures.features());
        for (ChoicePoint point : ChoicePoint.values()) {
            count(Table.ASKED, point.label(), executed.tally().asked(point));
            count(Table.DEVIATED, point.label(), executed.tally().deviated(point));
        }
        executed.statuses().forEach((status, count) -> count(Table.STATUSES, status, count));
        executed.verdict().weakBehaviours().forEach((weak, count) -> count(Table.WEAK_BEHAVIOURS, weak.name(), count));
        executed.verdict().checks().forEach((check, count) -> count(Table.CHECKS, check.name(), count));
        executed.verdict().notJudged().forEach((gap, count) -> count(Table.NOT_JUDGED, gap.name(), count));
        count(
                Table.KINDS_OF_RUNS,
                executed.statuses().keySet() + " "
                        + executed.verdict().weakBehaviours().keySet(),
                1);
        count(Table.TOTALS, "programs", 1);
        count(Table.TOTALS, "packets", executed.packets());
        count(Table.TOTALS, "events", executed.verdict().events());
        count(Table.TOTALS, "virtualNanos", executed.virtualNanos());
        count(Table.TOTALS, "failures", executed.isGood() ? 0 : 1);
    }

    private void count(Table table, int value) {
        count(table, Integer.toString(value), 1);
    }

    private void count(Table table, String name, long count) {
        of(table).merge(name, count, Long::sum);
    }

    private Map<String, Long> of(Table table) {
        return tables.getOrDefault(table, new TreeMap<>());
    }

    /** All counts, by table and name, for {@link #add(Map)} of another process. */
    public Map<String, Map<String, Long>> counts() {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        tables.forEach((table, names) -> counts.put(table.name(), Map.copyOf(names)));
        return counts;
    }

    /**
     * Adds what {@link #counts()} of others gave.
     *
     * @throws IllegalArgumentException if a table is unknown
     */
    public void add(Map<String, Map<String, Long>> counts) {
        counts.forEach((table, names) -> names.forEach((name, count) -> count(Table.valueOf(table), name, count)));
    }

    private long total(String name) {
        return of(Table.TOTALS).getOrDefault(name, 0L);
    }

    /** How many programs ran. */
    public long programs() {
        return total("programs");
    }

    /** How many of them showed something wrong. */
    public long failures() {
        return total("failures");
    }

    /** Which choices were made. */
    public ChoiceTally tally() {
        ChoiceTally tally = new ChoiceTally();
        for (ChoicePoint point : ChoicePoint.values()) {
            tally.add(
                    point,
                    of(Table.ASKED).getOrDefault(point.label(), 0L),
                    of(Table.DEVIATED).getOrDefault(point.label(), 0L));
        }
        return tally;
    }

    /** How many packets were sent. */
    public long packets() {
        return total("packets");
    }

    /** How many events the traces had. */
    public long events() {
        return total("events");
    }

    /** How much virtual time passed. */
    public long virtualNanos() {
        return total("virtualNanos");
    }

    /** How many different runs there were, told apart by the statuses of their completions and by what was weak in them. */
    public int kindsOfRuns() {
        return of(Table.KINDS_OF_RUNS).size();
    }

    /** Completions by status. */
    public Map<String, Long> statuses() {
        return of(Table.STATUSES);
    }

    /** How often permitted behaviour was seen that is weaker than the default. */
    public Map<WeakBehaviour, Long> weakBehaviours() {
        return named(WeakBehaviour.class, Table.WEAK_BEHAVIOURS);
    }

    /** How often each check was made. */
    public Map<Check, Long> checks() {
        return named(Check.class, Table.CHECKS);
    }

    /** What could not be judged. */
    public Map<Gap, Long> gaps() {
        return named(Gap.class, Table.NOT_JUDGED);
    }

    private <E extends Enum<E>> Map<E, Long> named(Class<E> type, Table table) {
        Map<E, Long> named = new EnumMap<>(type);
        of(table).forEach((name, count) -> named.put(Enum.valueOf(type, name), count));
        return named;
    }

    /** The median number of queue pairs of a program; the lower one of two. */
    public int medianQueuePairs() {
        return median(Table.QUEUE_PAIRS);
    }

    /** The median number of requests of a program; the lower one of two. */
    public int medianRequests() {
        return median(Table.REQUESTS);
    }

    /** The median of how many of READ, ATOMIC, fence, bind and revocation a program has; the lower one of two. */
    public int medianFeatures() {
        return median(Table.FEATURES);
    }

    private int median(Table table) {
        TreeMap<Integer, Long> counts = new TreeMap<>();
        of(table).forEach((value, count) -> counts.put(Integer.valueOf(value), count));
        long left = (programs() + 1) / 2;
        for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
            left -= entry.getValue();
            if (left <= 0) {
                return entry.getKey();
            }
        }
        return 0;
    }

    /** The points that were too seldom taken at another alternative than the first. */
    public List<ChoicePoint> tooSeldom() {
        ChoiceTally tally = tally();
        return EnumSet.allOf(ChoicePoint.class).stream()
                .filter(point -> tally.deviated(point) < ENOUGH_DEVIATIONS)
                .toList();
    }
}
