// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who waits in a loop of his own stops nobody, where nothing is chosen. */
class FairDefaultTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int FLAG = 0;
    private static final int COPY = 64;

    /** How a program waits that can always take the next step: each until the word of b is 1. */
    private enum Loop {
        READ {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                run(a, SendWorkRequest.read(1, b.address(FLAG), b.rkey(), a.sge(COPY, 8)));
                return a.memory().buffer().getLong(COPY) == 1;
            }
        },
        COMPARE_AND_SWAP {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                run(a, SendWorkRequest.compareAndSwap(1, b.address(FLAG), b.rkey(), 1, 1, a.sge(COPY, 8)));
                return a.memory().buffer().getLong(COPY) == 1;
            }
        },
        FETCH_AND_ADD {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                run(a, SendWorkRequest.fetchAndAdd(1, b.address(FLAG), b.rkey(), 0, a.sge(COPY, 8)));
                return a.memory().buffer().getLong(COPY) == 1;
            }
        },
        POLL {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                return !a.received().poll(1).isEmpty() || b.memory().buffer().getLong(FLAG) == 1;
            }
        },
        LOAD {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                return node.load(b.memory(), FLAG) == 1;
            }
        },
        LOAD_AND_GIVE_WAY {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                node.others();
                return b.memory().buffer().getLong(FLAG) == 1;
            }
        },
        TIMED_WAIT {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                assertThatThrownBy(() -> a.received().awaitCompletion(Duration.ofNanos(1)))
                        .hasMessageContaining("ETIMEDOUT");
                return b.memory().buffer().getLong(FLAG) == 1;
            }
        },
        QUERY {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                return a.qp().query().state() != QpState.RTS
                        || b.memory().buffer().getLong(FLAG) == 1;
            }
        },
        POST_AND_CLOSE {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                a.pd().register(a.memory(), 0, 8, 0).close();
                return b.memory().buffer().getLong(FLAG) == 1;
            }
        },
        ASYNC_EVENT {
            @Override
            boolean isSeen(Node node, RcPeer a, RcPeer b) {
                return a.device().pollAsyncEvent() != null
                        || b.memory().buffer().getLong(FLAG) == 1;
            }
        };

        abstract boolean isSeen(Node node, RcPeer a, RcPeer b);

        final void await(Node node, RcPeer a, RcPeer b) {
            while (!isSeen(node, a, b)) {
                // Again.
            }
        }
    }

    private static void run(RcPeer peer, SendWorkRequest request) {
        peer.qp().postSend(request);
        assertThat(peer.sent().awaitCompletion(LONG).status()).isEqualTo(WcStatus.SUCCESS);
    }

    static Stream<Arguments> loops() {
        return Stream.of(Loop.values())
                .flatMap(loop -> Stream.of(true, false)
                        .flatMap(isFirst -> Stream.of(OpenChoices.LEGAL, OpenChoices.NONE)
                                .map(open -> Arguments.of(loop, isFirst, open))));
    }

    /** One waits for the other, and a third one has much to do. */
    @ParameterizedTest
    @MethodSource("loops")
    void othersComeToTheirEnd(Loop loop, boolean isFirst, OpenChoices open) {
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), open), SimulationOptions.USUAL.withMostEvents(5_000))) {
            RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b"));
            if (isFirst) {
                simulation.node("a", node -> loop.await(node, rc.left(), rc.right()));
            }
            simulation.node("b", node -> addOne(node, rc));
            simulation.node("c", node -> {
                for (int i = 0; i < 300; i++) {
                    node.others();
                }
            });
            if (!isFirst) {
                simulation.node("a", node -> loop.await(node, rc.left(), rc.right()));
            }
            assertThat(simulation.run()).isTrue();
        }
    }

    private static void addOne(Node node, RcPair rc) {
        for (int i = 0; i < 20; i++) {
            node.others();
        }
        rc.right().memory().buffer().putLong(FLAG, 1);
    }

    /** The thread that opened the simulation waits so, with points on and off. */
    @ParameterizedTest
    @MethodSource("loops")
    void openingThreadStopsNobodyEither(Loop loop, boolean unused, OpenChoices open) {
        if (loop == Loop.LOAD || loop == Loop.LOAD_AND_GIVE_WAY) {
            return; // It has no node.
        }
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), open), SimulationOptions.USUAL.withMostEvents(5_000))) {
            RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b"));
            simulation.node("b", node -> addOne(node, rc));
            while (!loop.isSeen(null, rc.left(), rc.right())) {
                // Again.
            }
        }
    }

    /** A loop does not stop the timer after which a receiver that was not ready is asked again. */
    @Test
    void timersOfDevicesExpire() {
        try (Simulation simulation = new Simulation(
                Schedule.by(Choices.canonical(), OpenChoices.LEGAL), SimulationOptions.USUAL.withMostEvents(20_000))) {
            RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b"));
            simulation.node("b", node -> run(rc.right(), rc.right().send(1, 0, 8)));
            simulation.node("a", node -> {
                node.await(() -> simulation.underWay().stream().anyMatch(each -> each.startsWith("a timer")));
                rc.left().qp().postRecv(rc.left().receive(1, 0, 8));
                while (rc.left().received().poll(1).isEmpty()) {
                    run(rc.left(), rc.left().read(1, COPY, 8, rc.right()));
                }
            });
            simulation.node("waits", node -> rc.right().received().awaitCompletion(LONG));
            assertThatThrownBy(simulation::run).hasMessageContaining("ETIMEDOUT");
        }
    }

    /** Where the order of programs is fixed, it is fair too, and an exploration finds each outcome that seeds find. */
    @Test
    void fairWhereTheOrderOfProgramsIsFixed() {
        OpenChoices open = OpenChoices.of(ChoicePoint.EARLY_LOCAL_CHECK);
        Explored explored = new Exploration(open).atMostEvents(5_000).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b"));
                int[] reads = {0};
                simulation.node("a", node -> {
                    while (!Loop.READ.isSeen(node, rc.left(), rc.right())) {
                        reads[0]++;
                    }
                });
                simulation.node("b", node -> addOne(node, rc));
                simulation.run();
                return "reads " + (reads[0] > 0);
            }
        });
        assertThat(explored.isComplete()).isTrue();
        assertThat(explored.outcomes()).containsOnlyKeys("reads true");
    }

    @Test
    void loopWithoutEndIsNamed() {
        try (Simulation simulation = new Simulation(
                Schedule.by(Choices.canonical(), OpenChoices.LEGAL), SimulationOptions.USUAL.withMostEvents(2_000))) {
            RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b"));
            simulation.node("a", node -> Loop.READ.await(node, rc.left(), rc.right()));
            simulation.node("b", node -> node.others());
            simulation.node("c", node -> rc.right().received().awaitCompletion(LONG));
            assertThatThrownBy(simulation::run)
                    .isInstanceOfSatisfying(
                            RunTooLongException.class,
                            e -> assertThat(List.of(e.getStackTrace()))
                                    .anyMatch(frame -> frame.getMethodName().equals("isSeen")))
                    .hasMessageMatching(
                            "more than mostEvents=2000 events have happened: program a took [0-9,]+ steps and"
                                    + " is at FairDefaultTest\\.java:[0-9]+, program b took 2 steps and has ended, program c took"
                                    + " 1 step and is at FairDefaultTest\\.java:[0-9]+; end the loop, .*");
        }
    }
}
