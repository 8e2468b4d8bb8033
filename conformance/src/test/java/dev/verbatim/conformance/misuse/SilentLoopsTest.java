// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Right programs that look at words of their peers, or of their own, until they have a value: steps of scenario files have no loops. */
class SilentLoopsTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int SEEDS = 20;

    /** A program of one of the two sides, which has its own node, side and peer. */
    private record Side(Node node, RcPeer own, RcPeer peer) {

        void store(int offset, long value) {
            node.store(own.memory(), offset, value);
        }

        long load(int offset) {
            return node.load(own.memory(), offset);
        }

        void post(SendWorkRequest request) {
            own.qp().postSend(request);
            assertThat(own.sent().awaitCompletion(LONG).isSuccess()).isTrue();
        }

        void write(int offset, long value) {
            store(offset, value);
            post(own.write(value, offset, 8, peer));
        }

        long read(int offset) {
            post(own.read(offset, offset, 8, peer));
            return load(offset);
        }

        /** The value of the peer's word that the word is swapped to, if it was the expected one. */
        long swap(int offset, long expected, long value) {
            post(SendWorkRequest.compareAndSwap(
                    offset, peer.address(offset), peer.rkey(), expected, value, own.sge(offset, 8)));
            return load(offset);
        }
    }

    private interface Program {
        void run(Side side);
    }

    private static List<Finding> found(Program left, Program right) {
        List<Finding> all = new ArrayList<>();
        // Default choices are no schedule for these: they let a program that READs in a loop do so for ever.
        for (long seed = 0; seed < SEEDS; seed++) {
            Sanitizer sanitizer = Sanitizer.withSites();
            try (Simulation simulation =
                    new Simulation(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                RcPair pair = RcPair.connect(simulation.open("a"), simulation.open("b"));
                simulation.node("a", node -> left.run(new Side(node, pair.left(), pair.right())));
                simulation.node("b", node -> right.run(new Side(node, pair.right(), pair.left())));
                assertThat(simulation.run()).isTrue();
                all.addAll(sanitizer.findings());
            }
        }
        return all;
    }

    @Test
    void heartbeatOfStoresIsReadByThePeer() {
        assertThat(found(
                        side -> {
                            while (side.read(0) < 3) {
                                // It is alive, and not yet ready.
                            }
                        },
                        side -> {
                            for (long beat = 1; beat <= 5; beat++) {
                                side.store(0, beat);
                            }
                        }))
                .isEmpty();
    }

    @Test
    void requestIsReadByThePeerWhichWritesTheAnswer() {
        assertThat(found(
                        side -> {
                            for (long request = 1; request <= 2; request++) {
                                while (side.read(8) != request) {
                                    // There is none yet.
                                }
                                assertThat(side.read(0)).isEqualTo(10 * request);
                                side.write(16, request);
                            }
                        },
                        side -> {
                            for (long request = 1; request <= 2; request++) {
                                side.store(0, 10 * request);
                                side.store(8, request);
                                while (side.load(16) != request) {
                                    // It is not answered yet.
                                }
                            }
                        }))
                .isEmpty();
    }

    @Test
    void versionIsReadBeforeAndBehindTheValue() {
        assertThat(found(
                        side -> {
                            long version;
                            long value;
                            do {
                                version = side.read(8);
                                value = side.read(0);
                            } while (version != 4 || side.read(8) != version);
                            assertThat(value).isEqualTo(4);
                        },
                        side -> {
                            for (long version = 1; version <= 4; version++) {
                                side.store(8, version);
                                side.store(0, 4);
                                side.store(8, ++version);
                            }
                        }))
                .isEmpty();
    }

    @Test
    void leaseIsReadUntilItIsFreeAndThenTakenBySwap() {
        Program client = side -> {
            do {
                while (side.read(24) != 0) {
                    // It is taken: a READ disturbs less than a swap.
                }
            } while (side.swap(24, 0, 1) != 0);
            side.write(32, 7);
            assertThat(side.swap(24, 1, 2)).isEqualTo(1);
        };
        assertThat(found(client, side -> {
                    side.node().loadUntil(side.own().memory(), 24, value -> value == 2);
                    assertThat(side.load(32)).isEqualTo(7);
                }))
                .isEmpty();
    }
}
