// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceTally;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an exploration found up to now. */
final class Findings {

    private final TreeMap<String, Explored.Outcome> outcomes = new TreeMap<>();
    private final TreeMap<String, Explored.Outcome> sampled = new TreeMap<>();
    private final ChoiceTally tally = new ChoiceTally();
    private final String meaning;
    private final @Nullable Explored before;
    private long samples;
    private long executions;
    private long abandoned;
    private long cutShort;
    private long events;
    private int probes;
    private double leaves;
    private double squares;

    /** @param before what was found before, by which it begins; null for nothing */
    Findings(String meaning, @Nullable Checkpoint before) {
        this.meaning = meaning;
        this.before = before == null ? null : before.found();
    }

    /** A run whose order the points permit, if it came to its end. */
    void add(MadeRun run) {
        Supplier<String> outcome = run.outcome();
        if (outcome != null) {
            add(outcome.get(), run.choices(), run.events());
            tally.add(run.tally());
        } else if (run.isCutShort()) {
            events += run.events();
            cutShort++;
        } else {
            addAbandoned(run.events());
        }
    }

    /** A run whose order was searched. */
    void add(OrderSearch search, String outcome) {
        add(outcome, search.choices(), search.events());
        search.countInto(tally);
    }

    private void add(String outcome, ChoiceList choices, int count) {
        events += count;
        executions++;
        outcomes.merge(outcome, new Explored.Outcome(1, choices.trimmed()), Explored.Outcome::add);
    }

    /** A run that shows nothing, of so many events. */
    void addAbandoned(int count) {
        events += count;
        abandoned++;
    }

    /** Whether an execution ended like that. */
    boolean has(String outcome) {
        return outcomes.containsKey(outcome)
                || (before != null && before.outcomes().containsKey(outcome));
    }

    /** How many runs there were, without those before. */
    long runs() {
        return executions + abandoned + cutShort;
    }

    void addSample(String outcome, ChoiceList choices) {
        samples++;
        sampled.merge(outcome, new Explored.Outcome(1, choices), Explored.Outcome::add);
    }

    void addProbe(double found) {
        probes++;
        leaves += found;
        squares += found * found;
    }

    private Explored.@Nullable Estimate estimate() {
        if (probes < 2) {
            return null;
        }
        double mean = leaves / probes;
        double variance = Math.max(0, (squares - probes * mean * mean) / (probes - 1));
        return new Explored.Estimate(mean, Math.sqrt(variance / probes), probes);
    }

    Explored explored(@Nullable String stop, @Nullable ChoiceList resumeAt) {
        Explored explored = new Explored(
                new TreeMap<>(outcomes),
                new TreeMap<>(sampled),
                samples,
                executions,
                abandoned,
                cutShort,
                events,
                new ChoiceTally().add(tally),
                meaning,
                stop,
                resumeAt,
                estimate());
        return before == null ? explored : before.followedBy(explored);
    }
}
