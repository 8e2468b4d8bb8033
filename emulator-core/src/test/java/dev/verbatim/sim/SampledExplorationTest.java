// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.RcPair;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import org.junit.jupiter.api.Test;

/** Explorations that begin with seeds. */
class SampledExplorationTest {

    private static final Freedom FREEDOM = Freedom.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.PLACEMENT);

    /** Two peers that write to a third word by word; what a program of the third sees. */
    private static String writers(Schedule schedule) {
        long[] seen = new long[2];
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
            RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
            rc.left().memory().buffer().putLong(0, 1).putLong(8, 1);
            simulation.node("writer", node -> {
                rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
                rc.left().qp().postSend(rc.left().write(2, 8, 8, rc.right()));
            });
            simulation.node("reader", node -> {
                seen[0] = node.load(rc.right().memory(), 8) == 0 ? 0 : 1;
                seen[1] = node.load(rc.right().memory(), 0) == 0 ? 0 : 1;
            });
            simulation.run();
        }
        return seen[0] + " " + seen[1];
    }

    @Test
    void completeExplorationIsTheSameWithSeedsAndWithout() {
        Explored plain = new Exploration(FREEDOM).run(SampledExplorationTest::writers);
        Explored sampled = new Exploration(FREEDOM).sampling(20).run(SampledExplorationTest::writers);

        assertThat(plain.executions()).as("long enough for seeds").isGreaterThan(20);
        assertThat(sampled.samples()).isEqualTo(20);
        assertThat(sampled.outcomes()).isEqualTo(plain.outcomes());
        assertThat(sampled.executions()).isEqualTo(plain.executions());
        assertThat(sampled.onlySampled()).isEmpty();
        assertThat(sampled).hasToString(plain.toString());
    }

    @Test
    void stoppedExplorationKnowsWhatSeedsFoundAndCountsItApart() {
        Explored all = new Exploration(FREEDOM).run(SampledExplorationTest::writers);
        Explored stopped =
                new Exploration(FREEDOM).atMostExecutions(20).sampling(16).run(SampledExplorationTest::writers);

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
                .forEach((outcome, seen) -> assertThat(writers(Schedule.by(Choices.replayed(seen.example()), FREEDOM)))
                        .isEqualTo(outcome));
    }

    @Test
    void shortExplorationNeedsNoSeeds() {
        Explored explored = new Exploration(Freedom.NONE).sampling(100).run(SampledExplorationTest::writers);
        assertThat(explored.isComplete()).isTrue();
        assertThat(explored.samples()).isZero();
    }

    @Test
    void seedsStopWhenAQuarterOfTheTimeIsOver() {
        long[] nanos = new long[1];
        Explored explored = new Exploration(FREEDOM)
                .sampling(20)
                .atMostNanos(() -> nanos[0], 1_000)
                .run(schedule -> {
                    nanos[0] += 10;
                    return writers(schedule);
                });
        // Twenty runs of the walk take 200 ns; seeds have the rest of 250.
        assertThat(explored.samples()).isEqualTo(5);
    }

    @Test
    void seedThatFailsIsNamedAndItsChoicesFailAgain() {
        Explored stopped =
                new Exploration(FREEDOM).atMostExecutions(20).sampling(16).run(SampledExplorationTest::writers);
        String onlySampled = stopped.onlySampled().firstKey();

        FailedRun failed = catchThrowableOfType(
                FailedRun.class,
                () -> new Exploration(FREEDOM).atMostExecutions(20).sampling(16).run(schedule -> {
                    String seen = writers(schedule);
                    if (seen.equals(onlySampled)) {
                        throw new IllegalStateException("it sees " + seen);
                    }
                    return seen;
                }));

        assertThat(failed).hasMessageContaining("it sees " + onlySampled);
        assertThat(failed.seed()).isNotNull();
        assertThat(writers(Schedule.by(Choices.replayed(failed.choices()), FREEDOM)))
                .isEqualTo(onlySampled);
    }
}
