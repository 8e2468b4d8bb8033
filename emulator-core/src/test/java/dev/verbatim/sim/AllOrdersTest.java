// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where points fix some order, explorations that also walk in orders that are not permitted find what the walk finds that keeps to what is
 * permitted. More programs than in a build: {@code -Dverbatim.walks.closed=5000}, from another seed on by
 * {@code -Dverbatim.walks.closed.from}.
 */
class AllOrdersTest {

    private static final int COMPARED = Tries.of("walks.closed", 25, 300, 5_000);
    private static final long FIRST_SEED = Long.getLong("verbatim.walks.closed.from", 1);
    private static final long MOST_RUNS = 400;
    private static final int MOST_LOST = 5;

    private final List<String> different = new ArrayList<>();
    private long runs;
    private long runsAsPermitted;
    private long runsOfOpen;

    /** A program without anything that threads would share. */
    static Exploration.SharedProgram shared(Exploration.Program program) {
        return schedule -> {
            String outcome = program.run(schedule);
            return () -> outcome;
        };
    }

    @Test
    void randomProgramsWithRandomPointsOffHaveTheOutcomesThatArePermitted() {
        int compared = 0;
        for (long seed = FIRST_SEED; compared < COMPARED && different.size() < MOST_LOST; seed++) {
            SmallPlan plan = SmallPlan.of(seed);
            compared += isCompared(plan, withSomeTurns(plan.openChoices(), seed)) ? 1 : 0;
        }
        String figures = compared + " programs, " + runs + " runs, instead of " + runsAsPermitted
                + "; with all turns free " + runsOfOpen;
        System.out.println(figures);
        assertThat(different).as(figures).isEmpty();
        assertThat(runs).as(figures).isLessThan(2 * runsOfOpen).isLessThan(2 * runsAsPermitted);
    }

    /** Bytes of two queue pairs for one place; events that become possible again after another has taken that away. */
    @ParameterizedTest
    @ValueSource(longs = {4_002_662, 422, 702})
    void programThatLostOutcomesOnceHasThemAll(long seed) {
        SmallPlan plan = SmallPlan.of(seed);

        assertThat(isCompared(plan, plan.openChoices())).isTrue();
        assertThat(different).isEmpty();
    }

    /** Those of the plan in half of the programs, and any in the others; at least one is off. */
    private static OpenChoices withSomeTurns(OpenChoices openChoices, long seed) {
        if (seed % 2 == 0 && openChoices.fixesSomeOrder()) {
            return openChoices;
        }
        Choices dice = Choices.seeded(seed);
        OpenChoices some = SourceSetsTest.withAllTurns(openChoices);
        for (ChoicePoint point : ChoicePoint.values()) {
            some = point.isOfTurns() && dice.choose(point, 2) == 0 ? some.without(point) : some;
        }
        return some.fixesSomeOrder() ? some : some.without(ChoicePoint.REQUEST);
    }

    private boolean isCompared(SmallPlan plan, OpenChoices openChoices) {
        SmallProgram program = new SmallProgram(plan);
        Explored asPermitted =
                new Exploration(openChoices).atMostExecutions(MOST_RUNS).run(program);
        if (!asPermitted.isComplete()) {
            return false;
        }
        Explored explored = new Exploration(openChoices).run(shared(program), null);
        if (!explored.isComplete()
                || !explored.outcomes().keySet().equals(asPermitted.outcomes().keySet())) {
            different.add(plan + "\n  with " + openChoices + " ends as "
                    + explored.outcomes().keySet() + "\n  instead of "
                    + asPermitted.outcomes().keySet());
        }
        explored.outcomes()
                .forEach((outcome, seen) -> assertThat(
                                program.run(Schedule.by(Choices.replayed(seen.example()), openChoices)))
                        .as("%s of %s with %s", seen.example(), plan, openChoices)
                        .isEqualTo(outcome));
        runs += explored.executions() + explored.abandoned();
        runsAsPermitted += asPermitted.executions() + asPermitted.abandoned();
        Explored open = new Exploration(SourceSetsTest.withAllTurns(openChoices)).run(program);
        runsOfOpen += open.executions() + open.abandoned();
        return true;
    }

    /** Three programs store their numbers in a word; fails if that of this program is stored last. */
    private static Exploration.SharedProgram failingWhereLastIs(long number) {
        return shared(schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                Memory word = Memory.allocate(Long.BYTES);
                for (long each = 1; each <= 3; each++) {
                    long value = each;
                    simulation.node("program " + each, node -> node.store(word, 0, value));
                }
                simulation.run();
                long last = word.buffer().getLong(0);
                if (last == number) {
                    throw new IllegalStateException("last is " + last);
                }
                return "last is " + last;
            }
        });
    }

    @Test
    void failureInAnOrderThatIsNotPermittedIsNone() {
        OpenChoices openChoices = OpenChoices.of(ChoicePoint.ARRIVAL);

        Explored explored = new Exploration(openChoices).run(failingWhereLastIs(1), null);

        assertThat(explored.isComplete()).isTrue();
        assertThat(explored.outcomes()).containsOnlyKeys("last is 3");
    }

    @Test
    void failureInAnOrderThatIsPermittedHasItsChoices() {
        OpenChoices openChoices = OpenChoices.of(ChoicePoint.PROGRAM_STEP);
        Exploration.SharedProgram program = failingWhereLastIs(1);

        FailedRun failed = catchThrowableOfType(FailedRun.class, () -> new Exploration(openChoices).run(program, null));

        assertThat(failed).hasMessageContaining("last is 1");
        IllegalStateException again = catchThrowableOfType(
                IllegalStateException.class,
                () -> program.run(Schedule.by(Choices.replayed(failed.choices()), openChoices)));
        assertThat(again).hasMessageContaining("last is 1");
    }
}
