// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.SmallPlan.Feature;
import dev.verbatim.testing.Tries;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The reduced walk through small programs of real devices against one that leaves out nothing and came to its end: both find the
 * same outcomes. More programs than in a build: {@code -Dverbatim.walks=20000}, from another seed on by
 * {@code -Dverbatim.walks.from}.
 */
class WholeWalkTest {

    private static final int COMPARED = Tries.of("walks", 12, 200, 20_000);
    private static final long FIRST_SEED = Long.getLong("verbatim.walks.from", 1);
    private static final long MOST_EXECUTIONS = 2_000;
    private static final int PROBES = 20;
    /** A few probes find too little more often than too much. */
    private static final long MOST_ESTIMATED = MOST_EXECUTIONS / 2;

    private static final int MOST_LOST = 10;
    private static final int ENOUGH_FOR_ALL_FEATURES = 200;

    private final Map<Feature, Integer> featured = new EnumMap<>(Feature.class);
    private final List<String> lost = new ArrayList<>();
    private final StringBuilder skipped = new StringBuilder();
    private int large;
    private long executions;
    private long executionsReduced;

    @Test
    void reducedWalkFindsAllOutcomesOfOneThatIsFinished() {
        int compared = 0;
        int tried = 0;
        for (long seed = FIRST_SEED; compared < COMPARED && lost.size() < MOST_LOST; seed++) {
            compared += isCompared(SmallPlan.of(seed)) ? 1 : 0;
            tried++;
        }
        String figures = compared + " programs compared of " + tried + ", " + executions + " executions, "
                + executionsReduced + " of them in reduced walks; " + large
                + " have three nodes or two queue pairs; by feature " + featured + skipped;
        System.out.println(figures);
        assertThat(lost).as(figures).isEmpty();
        assertThat(large).as(figures).isGreaterThanOrEqualTo(compared * 6 / 10);
        if (compared >= ENOUGH_FOR_ALL_FEATURES) {
            for (Feature feature : EnumSet.range(Feature.INLINE, Feature.FAULT)) {
                assertThat(featured.getOrDefault(feature, 0))
                        .as("%s of %s", feature, figures)
                        .isGreaterThanOrEqualTo(compared / 20);
            }
        }
    }

    private boolean isCompared(SmallPlan plan) {
        SmallProgram program = new SmallProgram(plan);
        double estimate = estimate(program);
        if (estimate > MOST_ESTIMATED) {
            return skip(plan, "about " + (long) estimate + " executions, by " + PROBES + " probes");
        }
        Explored all = new Exploration(plan.openChoices())
                .unreduced()
                .atMostExecutions(MOST_EXECUTIONS)
                .run(program);
        if (!all.isComplete()) {
            return skip(plan, "more than " + MOST_EXECUTIONS + " executions");
        }
        Explored reduced = new Exploration(plan.openChoices()).run(program);
        if (!reduced.isComplete()
                || !reduced.outcomes().keySet().equals(all.outcomes().keySet())) {
            Set<String> missing = new TreeSet<>(all.outcomes().keySet());
            missing.removeAll(reduced.outcomes().keySet());
            lost.add(plan + "\n  of " + all.outcomes().size() + " outcomes are not found: " + missing);
        }
        executions += all.executions() + reduced.executions();
        executionsReduced += reduced.executions();
        large += plan.isLarge() ? 1 : 0;
        plan.features().forEach(feature -> featured.merge(feature, 1, Integer::sum));
        return true;
    }

    private boolean skip(SmallPlan plan, String why) {
        skipped.append("\n  skipped seed ").append(plan.seed()).append(": ").append(why);
        return false;
    }

    /** How many executions there are, by D. Knuth's estimate: what a random way through the tree passes over, multiplied. */
    private static double estimate(SmallProgram program) {
        double sum = 0;
        for (int i = 0; i < PROBES; i++) {
            Probe probe = new Probe(program.plan().openChoices(), i);
            program.run(probe);
            sum += probe.leaves;
        }
        return sum / PROBES;
    }

    /** Takes one way at random, and counts the ways. */
    private static final class Probe implements Schedule {

        private final OpenChoices openChoices;
        private final Choices dice;
        private int faults;
        private double leaves = 1;

        Probe(OpenChoices openChoices, long seed) {
            this.openChoices = openChoices;
            this.dice = Choices.seeded(seed);
        }

        private int oneOf(int alternatives) {
            leaves *= alternatives;
            return dice.choose(ChoicePoint.PROGRAM_STEP, alternatives);
        }

        @Override
        public boolean isOpen(ChoicePoint point) {
            return openChoices.isOn(point);
        }

        @Override
        public int next(List<? extends PossibleEvent> events) {
            return oneOf(openChoices.candidates(events));
        }

        @Override
        public int choose(ChoicePoint point, int alternatives) {
            boolean isFault = point.kind() == ChoicePoint.Kind.FAULT;
            if (!openChoices.isOn(point) || (isFault && faults >= openChoices.faults())) {
                return 0;
            }
            int taken = oneOf(alternatives);
            faults += isFault && taken > 0 ? 1 : 0;
            return taken;
        }

        @Override
        public boolean chance(ChoicePoint point, int perMille) {
            return perMille > 0 && choose(point, 2) == 1;
        }
    }
}
