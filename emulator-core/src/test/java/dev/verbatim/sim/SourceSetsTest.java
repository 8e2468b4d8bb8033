// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.SmallPlan.Deed;
import dev.verbatim.sim.SmallPlan.Feature;
import dev.verbatim.sim.SmallPlan.Step;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Walks that take only source sets find what a walk finds that takes every event that does not sleep: with all orders of turns free, also where
 * bytes and completions wait to be seen, and where points fix some. More programs than in a build: {@code -Dverbatim.walks.free=5000}, from another seed on by
 * {@code -Dverbatim.walks.free.from}.
 */
class SourceSetsTest {

    private static final int COMPARED = Tries.of("walks.free", 15, 300, 5_000);
    private static final long FIRST_SEED = Long.getLong("verbatim.walks.free.from", 1);
    private static final long MOST_RUNS = 600;
    private static final int MOST_LOST = 5;

    private final List<String> lost = new ArrayList<>();
    private long runs;
    private long abandoned;
    private long runsOfAll;

    @Test
    void randomProgramsHaveTheOutcomesOfAWalkThatTakesAll() {
        int compared = 0;
        for (long seed = FIRST_SEED; compared < COMPARED && lost.size() < MOST_LOST; seed++) {
            compared += isCompared(SmallPlan.of(seed)) ? 1 : 0;
        }
        String figures = compared + " programs, " + runs + " runs, of which " + abandoned + " abandoned, instead of "
                + runsOfAll;
        System.out.println(figures);
        assertThat(lost).as(figures).isEmpty();
        assertThat(runs).as(figures).isLessThan(runsOfAll / 2);
        assertThat(abandoned).as(figures).isLessThan(runs / 3);
    }

    /**
     * What was hard to find: BIND and INVALIDATE whose footprints depend on the state; a failure, and what would have been shown; programs
     * of one device, each of which takes the completion of the other; a packet that must not be passed over, and a failure without it.
     */
    @ParameterizedTest
    @ValueSource(
            longs = {
                305_460, 2_316, 11_385, 11_521, 21_217, 21_226, 100_283, 200_882, 201_235, 201_371, 202_226, 202_621,
                202_623, 5_024
            })
    void programThatLostOutcomesOnceHasThemAll(long seed) {
        assertThat(isCompared(SmallPlan.of(seed))).isTrue();
        assertThat(lost).isEmpty();
    }

    private boolean isCompared(SmallPlan plan) {
        OpenChoices free = withAllTurns(plan.openChoices());
        boolean isCompared = isCompared(plan, free);
        isCompared |= isCompared(plan, free.with(ChoicePoint.PLACEMENT).with(ChoicePoint.COMPLETION));
        return (plan.openChoices().fixesSomeOrder() && isCompared(plan, plan.openChoices())) || isCompared;
    }

    private boolean isCompared(SmallPlan plan, OpenChoices openChoices) {
        SmallProgram program = new SmallProgram(plan);
        Explored all = new Exploration(openChoices)
                .takingAllAwake()
                .atMostExecutions(MOST_RUNS)
                .run(program);
        if (!all.isComplete()) {
            return false;
        }
        Explored some = new Exploration(openChoices).run(program);
        Set<String> missing = new TreeSet<>(all.outcomes().keySet());
        missing.removeAll(some.outcomes().keySet());
        if (!some.isComplete()
                || !some.outcomes().keySet().equals(all.outcomes().keySet())) {
            lost.add(plan + "\n  with " + openChoices + ", of " + all.outcomes().size() + " outcomes are not found: "
                    + missing);
        }
        runs += some.executions() + some.abandoned();
        abandoned += some.abandoned();
        runsOfAll += all.executions() + all.abandoned();
        return true;
    }

    /** The READ reaches the last event before b deregisters only if its completion comes before others that were there first. */
    @Test
    void deregistrationMayComeBeforeOneRequestOnly() {
        SmallProgram program = program(List.of(
                List.of(step(Deed.WRITE, 0)),
                List.of(step(Deed.DEREGISTER, 0), step(Deed.SEND, 1)),
                List.of(step(Deed.READ, 0))));

        assertThat(new Exploration(program.plan().openChoices())
                        .run(program)
                        .outcomes()
                        .keySet())
                .hasSize(7)
                .anyMatch(outcome -> outcome.startsWith("a[0 REM_ACCESS_ERR] b[1 LOC_PROT_ERR] c[0 SUCCESS]"));
    }

    /** What an RNR NAK holds back was posted before it came, or after; the WRITE of the peer comes behind it. */
    @Test
    void requestIsSentBeforeOrAfterTheReceiverSaysThatItIsNotReady() {
        SmallProgram program = program(List.of(
                List.of(step(Deed.SEND, 0), step(Deed.LOAD, 0), step(Deed.READ, 0)), List.of(step(Deed.WRITE, 0))));
        OpenChoices openChoices = program.plan().openChoices();

        Explored some = new Exploration(openChoices).run(program);
        Explored all = new Exploration(openChoices).takingAllAwake().run(program);

        assertThat(some.outcomes().keySet()).isEqualTo(all.outcomes().keySet());
        assertThat(some.executions()).isEqualTo(all.executions());
    }

    /** The first of two conditions may be taken away before the second one comes: then the step that waits for both never was possible. */
    @Test
    void programThatWaitsForTwoWordsMayWaitForGood() {
        Explored explored = new Exploration(withAllTurns(OpenChoices.NONE)).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                Memory memory = Memory.allocate(2 * Long.BYTES);
                memory.buffer().putLong(0, 1);
                simulation.node("first", node -> node.store(memory, 0, 0));
                simulation.node("second", node -> node.store(memory, Long.BYTES, 1));
                List<String> seen = new ArrayList<>();
                simulation.node("both", node -> {
                    try {
                        node.await(() -> memory.buffer().getLong(0) == 1
                                && memory.buffer().getLong(Long.BYTES) == 1);
                        seen.add("both");
                    } catch (VerbsException never) {
                        seen.add("never");
                    }
                });
                simulation.run();
                return seen.toString();
            }
        });

        assertThat(explored.outcomes()).containsOnlyKeys("[both]", "[never]");
    }

    /** Stores half of a word. */
    private record HalfStore(String name, Simulation simulation, Memory memory, int offset, int value, boolean[] done)
            implements Actor {

        @Override
        public boolean isDone() {
            return done[0];
        }

        @Override
        public boolean canStep() {
            return !done[0];
        }

        @Override
        public boolean awaitsOneThing() {
            return true;
        }

        @Override
        public void step() {
            memory.buffer().putInt(offset, value);
            done[0] = true;
            simulation.touched(name, true, memory.address() + offset, ByteBuffer.allocate(Integer.BYTES));
        }
    }

    /** The same where the two conditions are halves of a word, or parts of two words that are loaded together. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void programThatWaitsForTwoHalvesMayWaitForGood(int offset) {
        Explored explored = new Exploration(withAllTurns(OpenChoices.NONE)).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                Memory memory = Memory.allocate(2 * Long.BYTES);
                memory.buffer().putInt(offset, 1);
                simulation.add(new HalfStore("low", simulation, memory, offset, 0, new boolean[1]));
                simulation.add(new HalfStore("high", simulation, memory, offset + Integer.BYTES, 1, new boolean[1]));
                List<String> seen = new ArrayList<>();
                simulation.node("both", node -> {
                    try {
                        node.loadUntil(memory, offset, word -> word == (1L << 32 | 1));
                        seen.add("both");
                    } catch (VerbsException never) {
                        seen.add("never");
                    }
                });
                simulation.run();
                return seen.toString();
            }
        });

        assertThat(explored.outcomes()).containsOnlyKeys("[both]", "[never]");
    }

    private static SmallProgram program(List<List<Step>> programs) {
        OpenChoices openChoices = withAllTurns(OpenChoices.NONE);
        return new SmallProgram(
                new SmallPlan(0, 1, false, false, false, false, programs, openChoices, Set.of(Feature.PLAIN)));
    }

    private static Step step(Deed deed, int pair) {
        return new Step(deed, pair, 0, 0, false, false, false);
    }

    static OpenChoices withAllTurns(OpenChoices openChoices) {
        OpenChoices free = openChoices;
        for (ChoicePoint point : ChoicePoint.values()) {
            free = point.isOfTurns() ? free.with(point) : free;
        }
        return free;
    }
}
