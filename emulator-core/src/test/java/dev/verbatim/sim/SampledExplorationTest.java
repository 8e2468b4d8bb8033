// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.RcPair;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Explorations that begin with seeds. */
class SampledExplorationTest {

    private static final OpenChoices OPEN = OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.PLACEMENT);

    /** A peer writes three words, and a program of the other loads them in reverse order; what that sees. */
    private static String writers(Schedule schedule) {
        long[] seen = new long[3];
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
            RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
            rc.left().memory().buffer().putLong(0, 1).putLong(8, 1).putLong(16, 1);
            simulation.node("writer", node -> {
                rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
                rc.left().qp().postSend(rc.left().write(2, 8, 8, rc.right()));
                rc.left().qp().postSend(rc.left().write(3, 16, 8, rc.right()));
            });
            simulation.node("reader", node -> {
                seen[0] = node.load(rc.right().memory(), 16) == 0 ? 0 : 1;
                seen[1] = node.load(rc.right().memory(), 8) == 0 ? 0 : 1;
                seen[2] = node.load(rc.right().memory(), 0) == 0 ? 0 : 1;
            });
            simulation.run();
        }
        return seen[0] + " " + seen[1] + " " + seen[2];
    }

    @Test
    void completeExplorationIsTheSameWithSeedsAndWithout() {
        Explored plain = new Exploration(OPEN).run(SampledExplorationTest::writers);
        Explored sampled = new Exploration(OPEN).sampling(20).run(SampledExplorationTest::writers);

        assertThat(plain.executions()).as("long enough for seeds").isGreaterThan(20);
        assertThat(sampled.samples()).isEqualTo(20);
        assertThat(sampled.outcomes()).isEqualTo(plain.outcomes());
        assertThat(sampled.executions()).isEqualTo(plain.executions());
        assertThat(sampled.onlySampled()).isEmpty();
        assertThat(sampled).hasToString(plain.toString());
    }

    @Test
    void stoppedExplorationKnowsWhatSeedsFoundAndCountsItApart() {
        Explored all = new Exploration(OPEN).run(SampledExplorationTest::writers);
        Explored stopped =
                new Exploration(OPEN).atMostExecutions(20).sampling(16).run(SampledExplorationTest::writers);

        assertThat(stopped.isComplete()).isFalse();
        assertThat(stopped.samples()).isEqualTo(16);
        assertThat(stopped.executions() + stopped.abandoned()).isEqualTo(20);
        assertThat(stopped.sampled().values().stream()
                        .mapToLong(Explored.Outcome::count)
                        .sum())
                .isEqualTo(16);
        assertThat(all.outcomes().keySet()).containsAll(stopped.sampled().keySet());
        assertThat(stopped.onlySampled()).isNotEmpty();
        assertThat(stopped.toString())
                .contains("sampled: 16 more runs with seeds, "
                        + stopped.onlySampled().size() + " more outcomes")
                .contains(" times, sampled only, as in ");
        stopped.sampled()
                .forEach((outcome, seen) -> assertThat(writers(Schedule.by(Choices.replayed(seen.example()), OPEN)))
                        .isEqualTo(outcome));
    }

    @Test
    void shortExplorationNeedsNoSeeds() {
        Explored explored = new Exploration(OpenChoices.NONE).sampling(100).run(SampledExplorationTest::writers);
        assertThat(explored.isComplete()).isTrue();
        assertThat(explored.samples()).isZero();
    }

    @Test
    void seedsStopWhenAQuarterOfTheTimeIsOver() {
        long[] nanos = new long[1];
        Explored explored = new Exploration(OPEN)
                .sampling(20)
                .atMostNanos(() -> nanos[0], 1_000)
                .run(schedule -> {
                    nanos[0] += 10;
                    return writers(schedule);
                });
        // Thirteen runs of the walk take more than an eighth; seeds have the rest of 250 ns.
        assertThat(explored.samples()).isEqualTo(12);
    }

    private static Explored estimated(Exploration exploration, int most, int runs, long seed) {
        return exploration.atMostExecutions(most).estimating(runs, seed).run(SampledExplorationTest::writers);
    }

    @Test
    void estimateOfAnUnreducedExplorationIsTheTrueNumberOnAverage() {
        OpenChoices few = OpenChoices.of(ChoicePoint.PROGRAM_STEP);
        long all = new Exploration(few)
                .unreduced()
                .run(SampledExplorationTest::writers)
                .executions();

        Explored.Estimate estimate = Objects.requireNonNull(
                estimated(new Exploration(few).unreduced(), 4, 4, 1).estimate());
        assertThat(estimate.runs()).isEqualTo(4);
        assertThat(all).isGreaterThan(4);
        Explored.Estimate better = Objects.requireNonNull(new Exploration(few)
                .unreduced()
                .estimating((int) all - 1, 1)
                .run(SampledExplorationTest::writers)
                .estimate());
        assertThat(better.executions()).isCloseTo(all, Offset.offset(3 * better.standardError() + 1e-9));
        assertThat(better.standardError()).isLessThan(all / 2.0);
    }

    @Test
    void estimateOfAReducedExplorationIsNearTheTrueNumberAndThatOfItsSeed() {
        Explored all = new Exploration(OpenChoices.ORDERS).run(SampledExplorationTest::writers);
        Explored part = estimated(new Exploration(OpenChoices.ORDERS), 30, 30, 7);

        Explored.Estimate estimate = Objects.requireNonNull(part.estimate());
        assertThat(estimate.executions()).isBetween(all.executions() / 6.0, 6.0 * all.executions());
        assertThat(estimated(new Exploration(OpenChoices.ORDERS), 30, 30, 7)).hasToString(part.toString());
        assertThat(estimated(new Exploration(OpenChoices.ORDERS), 30, 30, 8).estimate())
                .isNotEqualTo(estimate);
        assertThat(part.toString())
                .containsPattern(
                        "\nestimated: about [0-9,]+ executions in all [(]standard error [0-9.,]+, by 30 random runs[)]");
        assertThat(all.outcomes().keySet()).containsAll(part.sampled().keySet());
        part.sampled()
                .forEach((outcome, seen) -> assertThat(
                                writers(Schedule.by(Choices.replayed(seen.example()), OpenChoices.ORDERS)))
                        .isEqualTo(outcome));
    }

    @Test
    void seedThatFailsIsNamedAndItsChoicesFailAgain() {
        Explored stopped =
                new Exploration(OPEN).atMostExecutions(20).sampling(16).run(SampledExplorationTest::writers);
        String onlySampled = stopped.onlySampled().firstKey();

        FailedRun failed = catchThrowableOfType(
                FailedRun.class,
                () -> new Exploration(OPEN).atMostExecutions(20).sampling(16).run(schedule -> {
                    String seen = writers(schedule);
                    if (seen.equals(onlySampled)) {
                        throw new IllegalStateException("it sees " + seen);
                    }
                    return seen;
                }));

        assertThat(failed).hasMessageContaining("it sees " + onlySampled);
        assertThat(failed.seed()).isNotNull();
        assertThat(writers(Schedule.by(Choices.replayed(failed.choices()), OPEN)))
                .isEqualTo(onlySampled);
    }
}
