// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.VerbsException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Explorations of which others make runs ahead are those of one thread: in all that they say, and in where they stop. */
class ExplorationThreadsTest {

    private static final int PROGRAMS = Tries.of("walks.shared", 20, 300, 5_000);
    private static final long FIRST_SEED = Long.getLong("verbatim.walks.shared.from", 1);
    private static final long MOST_RUNS = 150;
    private static final int STOPS = 20;

    /** Seeds of programs in which something goes wrong, but no more often than they say. */
    private static final long[] WITH_FAULTS = {23, 36, 39, 53, 78, 85};

    private final AtomicLong runs = new AtomicLong();

    private Supplier<String> shared(Exploration.Program program, Schedule schedule) {
        runs.incrementAndGet();
        String outcome = program.run(schedule);
        return () -> outcome;
    }

    private static List<Long> seeds() {
        return LongStream.concat(LongStream.range(FIRST_SEED, FIRST_SEED + PROGRAMS), LongStream.of(WITH_FAULTS))
                .boxed()
                .toList();
    }

    private static Exploration exploration(OpenChoices openChoices) {
        return new Exploration(openChoices).sampling(3).atMostExecutions(MOST_RUNS);
    }

    /** After each run of the walk some are made ahead, so many in turn. */
    private Explored sharedInTurn(Exploration.Program program, OpenChoices openChoices) {
        ExplorationThreads workers = new ExplorationThreads();
        workers.join();
        int[] turn = {0};
        return exploration(openChoices)
                .saving(
                        () -> {
                            RunsAhead next = workers.withWork();
                            for (int left = turn[0]++ % 4; left > 0 && next != null; left--) {
                                next.makeRun();
                                next = workers.withWork();
                            }
                            return false;
                        },
                        checkpoint -> {})
                .run(schedule -> shared(program, schedule), workers);
    }

    private static void assertSame(Explored shared, Explored alone, Object plan) {
        assertThat(shared.toString()).as("%s", plan).isEqualTo(alone.toString());
        assertThat(shared.tally()).as("%s", plan).hasToString(alone.tally().toString());
        assertThat(shared.resumeAt()).as("%s", plan).isEqualTo(alone.resumeAt());
    }

    @Test
    void explorationThatIsSharedIsTheSame() {
        long runsAlone = 0;
        long runsShared = 0;
        for (long seed : seeds()) {
            SmallPlan plan = SmallPlan.of(seed);
            SmallProgram program = new SmallProgram(plan);
            for (OpenChoices openChoices :
                    List.of(plan.openChoices(), SourceSetsTest.withAllTurns(plan.openChoices()))) {
                Explored alone = exploration(openChoices).run(AllOrdersTest.shared(program), null);
                runs.set(0);
                assertSame(sharedInTurn(program, openChoices), alone, plan);
                // What is made ahead of an exploration that stops is made in vain.
                if (alone.isComplete()) {
                    runsAlone += alone.executions() + alone.abandoned() + alone.samples();
                    runsShared += runs.get();
                }
            }
        }
        String figures = runsShared + " runs instead of " + runsAlone;
        System.out.println(figures);
        assertThat(runsShared).as("%s: some guesses are wrong", figures).isBetween(runsAlone, runsAlone * 5 / 3);
    }

    /** What it waits for is told between events. */
    @Test
    void programThatWaitsForTwoWordsIsShared() {
        OpenChoices openChoices = OpenChoices.NONE.with(ChoicePoint.PROGRAM_STEP);
        Exploration.Program program = schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                Memory memory = Memory.allocate(4 * Long.BYTES);
                memory.buffer().putLong(0, 1);
                for (int word = 0; word < 4; word++) {
                    int place = word * Long.BYTES;
                    int value = word == 0 ? 0 : 1;
                    simulation.node("stores " + word, node -> node.store(memory, place, value));
                }
                List<String> seen = new ArrayList<>();
                simulation.node("both", node -> {
                    try {
                        node.await(() -> memory.buffer().getLong(0) == 1
                                && memory.buffer().getLong(Long.BYTES) == 1);
                        seen.add("both");
                    } catch (VerbsException never) {
                        seen.add("never");
                    }
                    node.load(memory, 2 * Long.BYTES);
                });
                simulation.run();
                return seen.toString();
            }
        };

        Explored alone = exploration(openChoices).run(AllOrdersTest.shared(program), null);

        assertThat(alone.outcomes()).containsOnlyKeys("[both]", "[never]");
        assertSame(sharedInTurn(program, openChoices), alone, program);
    }

    @Test
    void explorationThatOtherThreadsHelpIsTheSame() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try (ExplorationThreads workers = new ExplorationThreads()) {
            for (int i = 0; i < 2; i++) {
                Thread thread = new Thread(workers::makeRuns, "worker " + i);
                thread.start();
                threads.add(thread);
            }
            for (long seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
                SmallPlan plan = SmallPlan.of(seed);
                SmallProgram program = new SmallProgram(plan);
                OpenChoices openChoices = plan.openChoices();
                assertSame(
                        exploration(openChoices).run(schedule -> shared(program, schedule), workers),
                        exploration(openChoices).run(AllOrdersTest.shared(program), null),
                        plan);
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void whatFailsAheadFailsWhereTheExplorationComesToIt() {
        OpenChoices openChoices = OpenChoices.NONE.with(ChoicePoint.PROGRAM_STEP);
        ExplorationThreads workers = new ExplorationThreads();
        workers.join();
        int[] failed = {0};
        Exploration.Program program = schedule -> {
            List<String> order = new ArrayList<>();
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                List.of("a", "b", "c", "d").forEach(name -> simulation.node(name, node -> order.add(name)));
                simulation.run();
            }
            if (order.get(0).equals("d")) {
                failed[0]++;
                throw new IllegalStateException("d was first");
            }
            return order.toString();
        };

        FailedRun alone = catchThrowableOfType(
                FailedRun.class, () -> new Exploration(openChoices).unreduced().run(program));
        FailedRun shared = catchThrowableOfType(
                FailedRun.class,
                () -> new Exploration(openChoices)
                        .unreduced()
                        .saving(() -> makeAll(workers), checkpoint -> {})
                        .run(
                                schedule -> {
                                    String outcome = program.run(schedule);
                                    return () -> outcome;
                                },
                                workers));

        assertThat(shared).hasMessage(alone.getMessage()).hasMessageContaining("d was first");
        assertThat(shared.choices()).isEqualTo(alone.choices());
        assertThat(failed[0]).as("alone, ahead, and when the walk came to it").isEqualTo(3);
    }

    private static boolean makeAll(ExplorationThreads workers) {
        for (RunsAhead next = workers.withWork(); next != null; next = workers.withWork()) {
            next.makeRun();
        }
        return false;
    }

    /** Wherever it stops: also in the midst of what was made ahead of the walk that keeps to what is permitted, or of that through all orders. */
    @Test
    void checkpointOfAnExplorationThatIsSharedIsOfTheWalkAlone() {
        for (long seed : new long[] {2, 9}) {
            SmallPlan plan = SmallPlan.of(seed);
            for (OpenChoices openChoices :
                    List.of(plan.openChoices(), SourceSetsTest.withAllTurns(plan.openChoices()))) {
                SmallProgram program = new SmallProgram(plan);
                Explored whole = new Exploration(openChoices).run(AllOrdersTest.shared(program), null);
                long runs = whole.executions() + whole.abandoned();
                for (long stop = 1; stop < runs; stop += Math.max(1, runs / STOPS)) {
                    ExplorationThreads workers = new ExplorationThreads();
                    workers.join();
                    assertThat(stopped(program, openChoices, stop, workers))
                            .as("%s with %s, stopped after %d", plan, openChoices, stop)
                            .isEqualTo(stopped(program, openChoices, stop, null));
                }
            }
        }
    }

    /** The checkpoint with which it stopped; a run is made ahead behind each that it made. */
    private byte[] stopped(
            SmallProgram program, OpenChoices openChoices, long runs, @Nullable ExplorationThreads workers) {
        byte[][] last = {{}};
        new Exploration(openChoices)
                .atMostExecutions(runs)
                .saving(
                        () -> {
                            RunsAhead next = workers == null ? null : workers.withWork();
                            if (next != null) {
                                next.makeRun();
                            }
                            return false;
                        },
                        checkpoint -> last[0] = write(checkpoint))
                .run(schedule -> shared(program, schedule), workers);
        return last[0];
    }

    /** An exploration that goes on from a checkpoint finds what one does that never stopped. */
    @Test
    void explorationGoesOnFromTheCheckpointOfASharedOne() {
        SmallPlan plan = SmallPlan.of(2);
        SmallProgram program = new SmallProgram(plan);
        OpenChoices openChoices = SourceSetsTest.withAllTurns(plan.openChoices());
        Explored alone = new Exploration(openChoices).run(program);
        ExplorationThreads workers = new ExplorationThreads();
        workers.join();

        byte[] checkpoint = stopped(program, openChoices, (alone.executions() + alone.abandoned()) / 2, workers);

        assertThat(new Exploration(openChoices).goingOn(read(checkpoint)).run(program))
                .hasToString(alone.toString());
    }

    private static byte[] write(Checkpoint checkpoint) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            checkpoint.write(out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Checkpoint read(byte[] bytes) {
        try {
            return Checkpoint.read(new ByteArrayInputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
