// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of a simulation: their turns, their waits and their ends. */
@Tag("smoke")
class SimulatedProgramsTest {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    @AutoClose
    private Simulation simulation = new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), bounded());

    private static SimulationOptions bounded() {
        return SimulationOptions.USUAL.withMostEvents(100_000);
    }

    private void seeded(long seed) {
        simulation.close();
        simulation = new Simulation(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), bounded());
    }

    private RcPair pair() {
        return RcPair.connect(simulation.open("left"), simulation.open("right"));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void oneProgramRunsAtATime(long seed) {
        seeded(seed);
        AtomicInteger running = new AtomicInteger();
        List<String> turns = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            simulation.node(name, node -> {
                for (int i = 0; i < 20; i++) {
                    assertThat(running.incrementAndGet()).isEqualTo(1);
                    // Not made for several threads: it would suffer.
                    turns.add(name);
                    Thread.yield();
                    running.decrementAndGet();
                    node.others();
                }
            });
        }
        assertThat(simulation.run()).isTrue();
        assertThat(turns).hasSize(80);
        assertThat(turns.subList(0, 20)).as("turns are mixed").contains("a", "b", "c", "d");
    }

    @Test
    void canonicalProgramsRunInTheOrderInWhichTheyWereAdded() {
        List<String> turns = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            simulation.node(name, node -> {
                turns.add(name);
                node.others();
                turns.add(name);
            });
        }
        simulation.run();
        assertThat(turns).containsExactly("a", "a", "b", "b", "c", "c");
    }

    @Test
    @Rule("N-08")
    void threadThatIsNoProgramIsRefused() throws InterruptedException {
        RcPair rc = pair();
        AtomicReference<Throwable> refused = new AtomicReference<>();
        Thread stranger = new Thread(
                () -> refused.set(org.assertj.core.api.Assertions.catchThrowable(
                        () -> rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right())))),
                "stranger");
        stranger.start();
        stranger.join();
        assertThat(refused.get())
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(
                        "thread stranger is no program of this simulation, so no run could be repeated; give its work to"
                                + " node()");
    }

    @Test
    @Rule("N-08")
    void pollOfAThreadThatIsNoProgramIsRefusedBeforeItIsTold() throws InterruptedException {
        List<TraceEvent> polled = new ArrayList<>();
        simulation.tap(event -> {
            if (event instanceof TraceEvent.Polled) {
                polled.add(event);
            }
        });
        RcPair rc = pair();
        rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
        simulation.run();
        AtomicReference<Throwable> refused = new AtomicReference<>();
        Thread stranger = new Thread(
                () -> refused.set(org.assertj.core.api.Assertions.catchThrowable(
                        () -> rc.left().sent().poll(1))),
                "stranger");
        stranger.start();
        stranger.join();
        assertThat(refused.get()).hasMessageContaining("thread stranger is no program of this simulation");
        assertThat(polled).isEmpty();
    }

    @Test
    void programOfAnotherSimulationIsRefused() {
        try (Simulation other = new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), bounded())) {
            CompletionQueue foreign = other.open("other").createCq(1);
            simulation.node("a", node -> foreign.poll(1));
            assertThatThrownBy(simulation::run).hasMessageContaining("thread verbatim-program-a is no program");
        }
    }

    @Test
    @Rule("N-08")
    void waitsThatCanNeverEndAreRefusedInAProgramWithAllWhoWait() {
        RcPair rc = pair();
        simulation.node("finished", node -> node.others());
        simulation.node("a", node -> rc.left().received().awaitCompletion(FOREVER));
        simulation.node("b", node -> node.await(() -> false));
        assertThatThrownBy(simulation::run)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EDEADLK))
                .hasMessageContaining("program a waits for ever: no packet is under way")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .satisfies(other -> assertThat(other)
                                .hasMessage("program b waits here")
                                .satisfies(where -> assertThat(where.getStackTrace())
                                        .anyMatch(frame -> frame.getClassName()
                                                .equals(getClass().getName())))));
    }

    @Test
    @Rule("N-08")
    void waitThatCanNeverEndIsRefusedOnTheOpeningThread() {
        RcPair rc = pair();
        assertThatThrownBy(() -> rc.left().sent().awaitCompletion(FOREVER))
                .hasMessageContaining("this wait can never end");
    }

    @Test
    void programThatThrowsFailsTheRunAndTheOthersGetNoMoreTurns() {
        List<String> told = new ArrayList<>();
        simulation.node("waits", node -> {
            try {
                node.await(() -> false);
                told.add("went on");
            } catch (RuntimeException e) {
                told.add("was told " + e);
            }
        });
        simulation.node("fails", node -> {
            node.others();
            throw new ArithmeticException("the reason");
        });
        assertThatThrownBy(simulation::run)
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("the reason")
                .hasNoSuppressedExceptions();
        simulation.close();
        assertThat(told).isEmpty();
    }

    @Test
    void threadsAreGoneAfterCloseAlsoWhereProgramsCloseThingsOnTheirWayOut() {
        RcPair rc = pair();
        List<Thread> threads = new ArrayList<>();
        simulation.node("polite", node -> {
            threads.add(Thread.currentThread());
            try (CompletionQueue mine = rc.left().device().createCq(1)) {
                mine.awaitCompletion(FOREVER);
            }
        });
        simulation.node("fails", node -> {
            threads.add(Thread.currentThread());
            throw new ArithmeticException();
        });
        simulation.node("never begins", node -> threads.add(Thread.currentThread()));
        assertThatThrownBy(simulation::run).isInstanceOf(ArithmeticException.class);
        simulation.close();
        assertThat(threads).hasSize(2).allSatisfy(thread -> {
            Await.end(thread);
        });
    }

    @Test
    void closeInTheMiddleOfARunEndsWhatStillRuns() {
        RcPair rc = pair();
        List<Thread> threads = new ArrayList<>();
        simulation.node("a", node -> {
            threads.add(Thread.currentThread());
            while (true) {
                rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
                rc.left().sent().awaitCompletion(FOREVER);
            }
        });
        for (int i = 0; i < 50; i++) {
            simulation.fabric().step();
        }
        simulation.close();
        assertThat(threads).singleElement().satisfies(thread -> {
            Await.end(thread);
        });
    }

    @Test
    void timePassesForThePatientOnly() {
        RcPair rc = pair();
        long[] nanos = new long[2];
        simulation.node("a", node -> {
            nanos[0] = simulation.fabric().clock().nanoTime();
            assertThatThrownBy(() -> rc.left().received().awaitCompletion(Duration.ofSeconds(3)))
                    .hasMessageContaining("ETIMEDOUT");
            nanos[1] = simulation.fabric().clock().nanoTime();
        });
        simulation.run();
        assertThat(nanos[1] - nanos[0])
                .isBetween(
                        Duration.ofSeconds(3).toNanos(),
                        Duration.ofSeconds(3).plusMillis(1).toNanos());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, 2})
    void loopsThatPollLetOthersGetOn(long seed) {
        if (seed >= 0) {
            seeded(seed);
        }
        RcPair rc = pair();
        Memory shared = Memory.allocate(8);
        simulation.node("first", node -> {
            while (node.load(shared, 0) == 0) {
                Thread.onSpinWait();
            }
        });
        simulation.node("second", node -> {
            while (rc.left().sent().poll(1).isEmpty()) {
                Thread.onSpinWait();
            }
            node.store(shared, 0, 1);
        });
        simulation.node("third", node -> rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right())));
        assertThat(simulation.run()).isTrue();
    }

    @Test
    @Rule("N-08")
    void loopThatPollsForEverIsRefusedAndOneThatCountsEnds() {
        RcPair rc = pair();
        int[] polls = new int[1];
        simulation.node("counts", node -> {
            while (polls[0]++ < 500 && rc.left().sent().poll(1).isEmpty()) {
                Thread.onSpinWait();
            }
        });
        simulation.node("endless", node -> {
            while (rc.left().sent().poll(1).isEmpty()) {
                Thread.onSpinWait();
            }
        });
        assertThatThrownBy(simulation::run)
                .hasMessageContaining("program endless has polled 1000 times since the last thing happened");
        assertThat(polls[0]).isEqualTo(501);
    }

    @Test
    void oneThatGivesUpPollingMayPostWhatAnotherWaitsFor() {
        RcPair rc = pair();
        rc.right().qp().postRecv(rc.right().receive(1, 0, 8));
        simulation.node("waits", node -> rc.right().received().awaitCompletion(FOREVER));
        simulation.node("polls", node -> {
            for (int i = 0; i < 100 && rc.left().received().poll(1).isEmpty(); i++) {
                Thread.onSpinWait();
            }
            rc.left().qp().postSend(rc.left().send(2, 0, 8));
        });
        assertThat(simulation.run()).isTrue();
    }

    @Test
    void whatAnAwaitedConditionThrowsComesToTheProgramThatWaits() {
        List<String> caught = new ArrayList<>();
        simulation.node("a", node -> {
            try {
                node.await(() -> {
                    throw new ArithmeticException("in the condition");
                });
            } catch (ArithmeticException e) {
                caught.add(e.getMessage());
            }
        });
        assertThat(simulation.run()).isTrue();
        assertThat(caught).containsExactly("in the condition");
    }

    @Test
    void interruptedRunSaysWhereTheProgramIsThatLetsNobodyElseHaveHisTurn() {
        boolean[] stop = new boolean[1];
        Thread opener = Thread.currentThread();
        simulation.node("spins", node -> {
            opener.interrupt();
            while (!isSet(stop)) {
                Thread.onSpinWait();
            }
        });
        try {
            assertThatThrownBy(simulation::run)
                    .hasMessageContaining("interrupted while program spins ran between two verbs")
                    .satisfies(e -> assertThat(e.getCause().getStackTrace())
                            .anyMatch(frame ->
                                    frame.getClassName().equals(getClass().getName())));
        } finally {
            Thread.interrupted();
            synchronized (stop) {
                stop[0] = true;
            }
        }
    }

    private static boolean isSet(boolean[] flag) {
        synchronized (flag) {
            return flag[0];
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
    void fourDevicesPassAWordAroundInEveryOrder(long seed) {
        seeded(seed);
        List<RcPair> ring = new ArrayList<>();
        List<String> names = List.of("a", "b", "c", "d");
        var devices = names.stream().map(simulation::open).toList();
        for (int i = 0; i < 4; i++) {
            ring.add(RcPair.connect(devices.get(i), devices.get((i + 1) % 4)));
        }
        for (int i = 0; i < 4; i++) {
            RcPeer out = ring.get(i).left();
            RcPeer next = ring.get(i).right();
            RcPeer in = ring.get((i + 3) % 4).right();
            boolean begins = i == 0;
            in.qp().postRecv(in.receive(1, 0, 8));
            simulation.node(names.get(i), node -> {
                long word = 1;
                if (!begins) {
                    assertThat(in.received().awaitCompletion(FOREVER).status()).isEqualTo(WcStatus.SUCCESS);
                    word = node.load(in.memory(), 0) * 3;
                }
                node.store(out.memory(), 0, word);
                out.qp().postSend(out.send(2, 0, 8));
                assertThat(out.sent().awaitCompletion(FOREVER).status()).isEqualTo(WcStatus.SUCCESS);
                if (begins) {
                    in.received().awaitCompletion(FOREVER);
                    assertThat(node.load(in.memory(), 0)).isEqualTo(27);
                }
                assertThat(next.device()).isNotEqualTo(out.device());
            });
        }
        assertThat(simulation.run()).isTrue();
    }
}
