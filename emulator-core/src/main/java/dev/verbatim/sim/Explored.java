// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceTally;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Exploration} found.
 *
 * @param outcomes all that were seen, in their order
 * @param sampled outcomes of runs with seeds, which do not count among {@code executions}; of a complete exploration they are among
 *     {@code outcomes}
 * @param samples how many runs with seeds there were
 * @param executions how many runs came to their end
 * @param abandoned how many runs were abandoned, since all their continuations were seen in others; where points fix some order, also those
 *     in orders that are not permitted
 * @param cutShort how many runs were given up because they had too many events
 * @param events how many events happened in all runs together
 * @param tally which choices were made in the runs that came to their end
 * @param meaning what was walked through: points, faults, bounds, reduction
 * @param stop why it stopped before the last run; null if it did not
 * @param resumeAt where to go on; null if nothing is left
 * @param estimate how many executions there are in all; null if that was not asked for, or there were fewer than two runs to tell
 */
public record Explored(
        SortedMap<String, Outcome> outcomes,
        SortedMap<String, Outcome> sampled,
        long samples,
        long executions,
        long abandoned,
        long cutShort,
        long events,
        ChoiceTally tally,
        String meaning,
        @Nullable String stop,
        @Nullable ChoiceList resumeAt,
        @Nullable Estimate estimate) {

    /**
     * One outcome.
     *
     * @param count how many executions showed it
     * @param example the choices of the execution that showed it with the fewest deviations, the first of several
     */
    public record Outcome(long count, ChoiceList example) {

        Outcome add(Outcome other) {
            boolean fewer =
                    other.example.deviations().size() < example.deviations().size();
            return new Outcome(count + other.count, fewer ? other.example : example);
        }
    }

    /**
     * How many executions there are, by D. Knuth's method: the mean over random runs of the product of the numbers of branches on their way. Of
     * an exploration that is not reduced the expected value is the true number. Of a reduced one the branches are those that the one run
     * shows to be needed, and the true number is mostly between a sixth and six times the estimate.
     *
     * @param executions the mean
     * @param standardError of the mean; a few runs may make most of it, so that large values are underestimated
     * @param runs how many random runs there were
     */
    public record Estimate(double executions, double standardError, int runs) {

        /** Such as {@code about 2,300 executions in all (standard error 290, by 100 random runs)}. */
        @Override
        public String toString() {
            return "about " + rounded(executions) + " executions in all (standard error " + rounded(standardError)
                    + ", by " + runs + " random runs)";
        }

        /** With two digits that count. */
        private static String rounded(double value) {
            BigDecimal rounded = new BigDecimal(value).round(new MathContext(2));
            return value >= FEW ? String.format(Locale.ROOT, "%,.0f", rounded) : rounded.toPlainString();
        }

        private static final double FEW = 10;
    }

    /** Whether the outcomes are all that there are. */
    public boolean isComplete() {
        return stop == null && cutShort == 0;
    }

    /**
     * This, and what the next exploration of the same program found, which went on {@linkplain Exploration#from from}
     * where this one stopped.
     */
    public Explored followedBy(Explored next) {
        return add(next, next.stop, next.resumeAt);
    }

    /** This, and what another exploration of the same program found in another part of all runs. */
    public Explored and(Explored other) {
        return add(other, stop == null ? other.stop : stop, null);
    }

    /** The same without an outcome; its executions still count. */
    public Explored without(String outcome) {
        SortedMap<String, Outcome> others = new TreeMap<>(outcomes);
        SortedMap<String, Outcome> otherSamples = new TreeMap<>(sampled);
        others.remove(outcome);
        otherSamples.remove(outcome);
        return with(others, otherSamples);
    }

    /** The same, with one outcome for all that {@code group} gives the same name. */
    public Explored grouped(UnaryOperator<String> group) {
        return with(grouped(outcomes, group), grouped(sampled, group));
    }

    private Explored with(SortedMap<String, Outcome> otherOutcomes, SortedMap<String, Outcome> otherSamples) {
        return new Explored(
                otherOutcomes,
                otherSamples,
                samples,
                executions,
                abandoned,
                cutShort,
                events,
                tally,
                meaning,
                stop,
                resumeAt,
                estimate);
    }

    private static SortedMap<String, Outcome> grouped(SortedMap<String, Outcome> each, UnaryOperator<String> group) {
        SortedMap<String, Outcome> grouped = new TreeMap<>();
        each.forEach((name, outcome) -> grouped.merge(group.apply(name), outcome, Outcome::add));
        return grouped;
    }

    private Explored add(Explored other, @Nullable String whyStopped, @Nullable ChoiceList next) {
        SortedMap<String, Outcome> both = new TreeMap<>(outcomes);
        other.outcomes.forEach((outcome, seen) -> both.merge(outcome, seen, Outcome::add));
        SortedMap<String, Outcome> bothSampled = new TreeMap<>(sampled);
        other.sampled.forEach((outcome, seen) -> bothSampled.merge(outcome, seen, Outcome::add));
        return new Explored(
                both,
                bothSampled,
                samples + other.samples,
                executions + other.executions,
                abandoned + other.abandoned,
                cutShort + other.cutShort,
                events + other.events,
                new ChoiceTally().add(tally).add(other.tally),
                meaning,
                whyStopped,
                next,
                estimate == null ? other.estimate : estimate);
    }

    /** Outcomes that only runs with seeds had; none if the exploration is complete. */
    public SortedMap<String, Outcome> onlySampled() {
        SortedMap<String, Outcome> only = new TreeMap<>(sampled);
        only.keySet().removeAll(outcomes.keySet());
        return only;
    }

    /** One line of figures, one for what they mean, and one for each outcome. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(isComplete() ? "complete: " : "incomplete: ")
                .append(outcomes.size())
                .append(" outcomes in ")
                .append(executions)
                .append(" executions (")
                .append(abandoned)
                .append(" more abandoned, ")
                .append(events)
                .append(" events)\n")
                .append(meaning);
        if (cutShort > 0) {
            text.append("\ncut short: ").append(cutShort).append(" runs had too many events");
        }
        if (stop != null) {
            text.append("\nstopped: ").append(stop);
        }
        if (!isComplete() && estimate != null) {
            text.append("\nestimated: ").append(estimate);
        }
        if (!isComplete() && samples > 0) {
            text.append("\nsampled: ")
                    .append(samples)
                    .append(" more runs with seeds, ")
                    .append(onlySampled().size())
                    .append(" more outcomes");
        }
        outcomes.forEach((outcome, seen) -> append(text, outcome, seen, " times, as in "));
        onlySampled().forEach((outcome, seen) -> append(text, outcome, seen, " times, sampled only, as in "));
        return text.toString();
    }

    private static void append(StringBuilder text, String outcome, Outcome seen, String how) {
        text.append("\n  ")
                .append(outcome)
                .append("  ")
                .append(seen.count())
                .append(how)
                .append(seen.example());
    }
}
