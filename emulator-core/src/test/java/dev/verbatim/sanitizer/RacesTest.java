// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Accesses that nothing orders are found, each with the mistake behind it; what is ordered is silent in every schedule. */
class RacesTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final int SEEDS = 40;

    /** Two connected sides, and a second queue pair of each. */
    private record World(Simulation simulation, RcPeer a, RcPeer b, QueuePair secondOfA, QueuePair secondOfB) {

        void programs(Body left, Body right) {
            simulation.node("a", node -> left.run(node, this));
            simulation.node("b", node -> right.run(node, this));
        }

        SendWorkRequest write(long id, int offset) {
            return a.write(id, offset, 8, b);
        }
    }

    private interface Body {
        void run(Node node, World world);
    }

    private static List<Finding> found(Body left, Body right) {
        List<Finding> all = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            Sanitizer sanitizer = Sanitizer.withSites();
            Schedule schedule = Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL);
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                RcPair pair = RcPair.connect(simulation.open("a"), simulation.open("b"));
                QueuePair one = pair.left()
                        .pd()
                        .createQp(QpInitAttributes.rc(
                                pair.left().sent(), pair.left().received(), QpCapabilities.USUAL));
                QueuePair other = pair.right()
                        .pd()
                        .createQp(QpInitAttributes.rc(
                                pair.right().sent(), pair.right().received(), QpCapabilities.USUAL));
                RcConnection.connect(one, other);
                new World(simulation, pair.left(), pair.right(), one, other).programs(left, right);
                assertThat(simulation.run()).isTrue();
                sanitizer.errors().stream().limit(all.size() < 3 ? 3 : 0).forEach(all::add);
            }
        }
        return all;
    }

    private static Set<Mistake> mistakes(List<Finding> findings) {
        Set<Mistake> all = EnumSet.noneOf(Mistake.class);
        findings.forEach(finding -> all.add(finding.mistake()));
        return all;
    }

    @Test
    void sourceChangedBeforeTheCompletion() {
        List<Finding> findings = found(
                (node, world) -> {
                    world.a.qp().postSend(world.write(1, 0));
                    node.store(world.a.memory(), 0, 7);
                    world.a.sent().awaitCompletion(LONG).status();
                },
                (node, world) -> {});
        assertThat(mistakes(findings)).containsExactly(Mistake.S1);
        Finding first = findings.get(0);
        assertThat(first.places())
                .hasSize(2)
                .allSatisfy(place -> assertThat(place).startsWith("RacesTest.java:"));
        assertThat(first.toString()).contains("RDMA_WRITE wr_id=1 of qp").contains("program a stored to");
    }

    @Test
    void sourceChangedAfterTheCompletionIsFine() {
        assertThat(found(
                        (node, world) -> {
                            world.a.qp().postSend(world.write(1, 0));
                            world.a.sent().awaitCompletion(LONG).status();
                            node.store(world.a.memory(), 0, 7);
                        },
                        (node, world) -> {}))
                .isEmpty();
    }

    @Test
    void destinationOfAReadLookedAtTooEarly() {
        List<Finding> findings = found(
                (node, world) -> {
                    world.a.qp().postSend(world.a.read(1, 0, 8, world.b));
                    node.load(world.a.memory(), 0);
                    world.a.sent().awaitCompletion(LONG).status();
                },
                (node, world) -> {});
        assertThat(mistakes(findings)).containsExactly(Mistake.S2);
    }

    @Test
    void writeAndLoadThatNothingOrders() {
        List<Finding> findings = found(
                (node, world) -> {
                    world.a.qp().postSend(world.write(1, 0));
                    world.a.sent().awaitCompletion(LONG).status();
                },
                (node, world) -> node.load(world.b.memory(), 0));
        assertThat(mistakes(findings)).containsExactly(Mistake.S4);
    }

    /** A program that writes data, and then a flag behind them by this request. */
    private static Body writesAndFlags(Function<World, SendWorkRequest> flag) {
        return (node, world) -> {
            node.store(world.a.memory(), 0, 1);
            node.store(world.a.memory(), 8, 1);
            world.a.qp().postSend(world.write(1, 0));
            world.a.qp().postSend(flag.apply(world));
            world.a.sent().awaitCompletion(LONG).status();
            world.a.sent().awaitCompletion(LONG).status();
        };
    }

    /** A program that loads the flag again and again, and then the data. */
    private static void spins(Node node, World world) {
        while (node.load(world.b.memory(), 8) != 1) {
            // Not yet.
        }
        node.load(world.b.memory(), 0);
    }

    @Test
    void flagByAPlainWriteIsNoCompletion() {
        Body waits = (node, world) -> {
            node.loadUntil(world.b.memory(), 8, value -> value == 1);
            node.load(world.b.memory(), 0);
        };
        assertThat(mistakes(found(writesAndFlags(world -> world.write(2, 8)), waits)))
                .containsExactly(Mistake.S6);
    }

    @Test
    void flagByALoopOfLoadsIsNoCompletion() {
        assertThat(mistakes(found(writesAndFlags(world -> world.write(2, 8)), RacesTest::spins)))
                .contains(Mistake.S6);
    }

    @Test
    void flagByAtomicWriteIsFine() {
        Body flags = writesAndFlags(
                world -> SendWorkRequest.atomicWrite(2, world.b.address(8), world.b.rkey(), world.a.sge(8, 8)));
        assertThat(found(flags, RacesTest::spins)).isEmpty();
    }

    @Test
    void dataAndFlagOverTwoQueuePairs() {
        List<Finding> findings = found(
                (node, world) -> {
                    world.a.qp().postSend(world.write(1, 0));
                    world.secondOfA.postSend(SendWorkRequest.send(2));
                    world.a.sent().awaitCompletion(LONG).status();
                    world.a.sent().awaitCompletion(LONG).status();
                },
                (node, world) -> {
                    world.secondOfB.postRecv(ReceiveWorkRequest.of(3));
                    world.b.received().awaitCompletion(LONG).status();
                    node.load(world.b.memory(), 0);
                });
        assertThat(mistakes(findings)).containsExactly(Mistake.S17);
    }

    @Test
    void dataAndMessageOverOneQueuePairAreOrdered() {
        assertThat(found(
                        (node, world) -> {
                            world.a.qp().postSend(world.write(1, 0).unsignaled());
                            world.a.qp().postSend(SendWorkRequest.send(2));
                            world.a.sent().awaitCompletion(LONG).status();
                        },
                        (node, world) -> {
                            world.b.qp().postRecv(ReceiveWorkRequest.of(3));
                            world.b.received().awaitCompletion(LONG).status();
                            node.load(world.b.memory(), 0);
                            node.store(world.b.memory(), 0, 3);
                        }))
                .isEmpty();
    }

    @Test
    void programAndAtomicsOnOneWord() {
        List<Finding> findings = found(
                (node, world) -> {
                    world.a
                            .qp()
                            .postSend(SendWorkRequest.fetchAndAdd(
                                    1, world.b.address(0), world.b.rkey(), 1, world.a.sge(64, 8)));
                    world.a.sent().awaitCompletion(LONG).status();
                },
                (node, world) -> node.store(world.b.memory(), 0, 5));
        assertThat(mistakes(findings)).containsExactly(Mistake.S14);
    }

    @Test
    void sourceOfASendThatAReadFillsNeedsAFence() {
        assertThat(mistakes(sendOfWhatIsRead(0))).containsExactly(Mistake.S3);
        assertThat(sendOfWhatIsRead(SendFlags.FENCE)).isEmpty();
    }

    private static List<Finding> sendOfWhatIsRead(int flags) {
        Body reader = (node, world) -> {
            world.a.qp().postSend(world.a.read(1, 0, 8, world.b).unsignaled());
            world.a.qp().postSend(SendWorkRequest.send(2, world.a.sge(0, 8)).plus(flags));
            world.a.sent().awaitCompletion(LONG).status();
        };
        Body receiver = (node, world) -> {
            world.b.qp().postRecv(ReceiveWorkRequest.of(3, world.b.sge(64, 8)));
            world.b.received().awaitCompletion(LONG).status();
        };
        return found(reader, receiver);
    }

    @Test
    void handOverByAwaitIsFine() {
        long[] turn = {0};
        assertThat(found(
                        (node, world) -> {
                            node.store(world.a.memory(), 0, 7);
                            turn[0]++;
                            node.others();
                        },
                        (node, world) -> {
                            node.await(() -> turn[0] % 2 == 1);
                            turn[0]++;
                            world.b.qp().postSend(world.b.read(1, 0, 8, world.a));
                            world.b.sent().awaitCompletion(LONG).status();
                        }))
                .isEmpty();
    }

    @Test
    void atomicsOrderWhatIsBeforeThem() {
        Body writer = (node, world) -> {
            world.a.qp().postSend(world.write(1, 0).unsignaled());
            world.a
                    .qp()
                    .postSend(
                            SendWorkRequest.fetchAndAdd(2, world.b.address(8), world.b.rkey(), 1, world.a.sge(64, 8)));
            world.a.sent().awaitCompletion(LONG).status();
        };
        assertThat(found(writer, (node, world) -> {
                    node.loadUntil(world.b.memory(), 8, value -> value == 1);
                    node.load(world.b.memory(), 0);
                }))
                .isEmpty();
    }

    /** Stores the word, writes it to the peer and waits for the completion. */
    private static void beats(Node node, World world, int offset, long value) {
        node.store(world.a.memory(), offset, value);
        world.a.qp().postSend(world.write(value, offset));
        world.a.sent().awaitCompletion(LONG).status();
    }

    @Test
    void heartbeatByWritesOfOneWordIsFine() {
        assertThat(found(
                        (node, world) -> {
                            for (long beat = 1; beat <= 3; beat++) {
                                beats(node, world, 8, beat);
                            }
                        },
                        (node, world) -> node.loadUntil(world.b.memory(), 8, value -> value >= 1)))
                .isEmpty();
    }

    @Test
    void headGivenBackByAWriteOfOneWordOrdersWhatWasLoadedBefore() {
        Body producer = (node, world) -> {
            beats(node, world, 0, 5);
            world.a.qp().postSend(SendWorkRequest.send(9));
            world.a.sent().awaitCompletion(LONG).status();
            node.loadUntil(world.a.memory(), 16, value -> value == 1);
            beats(node, world, 0, 6);
        };
        assertThat(found(producer, consumer(true))).isEmpty();
        assertThat(mistakes(found(producer, consumer(false)))).containsExactly(Mistake.S4);
    }

    /** Gives the slot back behind its load, or, which is a mistake, before it. */
    private static Body consumer(boolean loadsFirst) {
        return (node, world) -> {
            world.b.qp().postRecv(ReceiveWorkRequest.of(3));
            world.b.received().awaitCompletion(LONG).status();
            if (loadsFirst) {
                node.load(world.b.memory(), 0);
            }
            node.store(world.b.memory(), 16, 1);
            world.b.qp().postSend(world.b.write(4, 16, 8, world.a));
            if (!loadsFirst) {
                node.load(world.b.memory(), 0);
            }
            world.b.sent().awaitCompletion(LONG).status();
        };
    }

    @Test
    void mailboxEmptiedByItsReaderIsFine() {
        Body sender = (node, world) -> {
            beats(node, world, 8, 1);
            node.loadUntil(world.a.memory(), 16, value -> value == 1);
            beats(node, world, 8, 2);
        };
        Body reader = (node, world) -> {
            node.loadUntil(world.b.memory(), 8, value -> value == 1);
            node.store(world.b.memory(), 8, 0);
            node.store(world.b.memory(), 16, 1);
            world.b.qp().postSend(world.b.write(4, 16, 8, world.a));
            world.b.sent().awaitCompletion(LONG).status();
            node.loadUntil(world.b.memory(), 8, value -> value == 2);
        };
        assertThat(found(sender, reader)).isEmpty();
    }

    @Test
    void headByAtomicWriteMayBeWrittenAfterItWasLookedAt() {
        assertThat(found(
                        (node, world) -> {
                            node.store(world.a.memory(), 8, 1);
                            world.a
                                    .qp()
                                    .postSend(SendWorkRequest.atomicWrite(
                                            2, world.b.address(8), world.b.rkey(), world.a.sge(8, 8)));
                            world.a.sent().awaitCompletion(LONG).status();
                        },
                        (node, world) -> node.loadUntil(world.b.memory(), 8, value -> value >= 0)))
                .isEmpty();
    }

    /** Loads the word until it is not less, as {@code loadUntil} does. */
    private static void loadsUntil(Node node, Memory memory, int offset, long least) {
        while (node.load(memory, offset) < least) {
            // Not yet.
        }
    }

    @Test
    void loopOfLoadsIsJudgedAsAWaitWhicheverLookEndsIt() {
        Body beats = (node, world) -> {
            for (long beat = 1; beat <= 3; beat++) {
                beats(node, world, 8, beat);
            }
        };
        assertThat(found(beats, (node, world) -> loadsUntil(node, world.b.memory(), 8, 1)))
                .isEmpty();
        assertThat(found(beats, (node, world) -> {
                    for (long least = 0; least <= 3; least++) {
                        loadsUntil(node, world.b.memory(), 8, least);
                    }
                }))
                .isEmpty();
    }

    @Test
    void ringOfSlotsWhoseHeadIsLoadedInALoopIsFine() {
        int slots = 4;
        int items = 7;
        Body producer = (node, world) -> {
            for (long item = 1; item <= items; item++) {
                loadsUntil(node, world.a.memory(), 128, item - slots);
                int slot = (int) (item % slots) * 8;
                node.store(world.a.memory(), slot, item);
                world.a.qp().postSend(world.write(item, slot).unsignaled());
                world.a.qp().postSend(SendWorkRequest.send(100 + item));
                world.a.sent().awaitCompletion(LONG).status();
            }
        };
        Body consumer = (node, world) -> {
            for (long item = 1; item <= items; item++) {
                world.b.qp().postRecv(ReceiveWorkRequest.of(item));
            }
            for (long item = 1; item <= items; item++) {
                world.b.received().awaitCompletion(LONG).status();
                assertThat(node.load(world.b.memory(), (int) (item % slots) * 8))
                        .isEqualTo(item);
                node.store(world.b.memory(), 128, item);
                world.b.qp().postSend(world.b.write(item, 128, 8, world.a));
                world.b.sent().awaitCompletion(LONG).status();
            }
        };
        assertThat(found(producer, consumer)).isEmpty();
    }

    @Test
    void onlyLoadOfAWordThatIsWrittenLaterIsFoundWithAHint() {
        List<Finding> findings =
                found((node, world) -> beats(node, world, 8, 1), (node, world) -> node.load(world.b.memory(), 8));
        assertThat(mistakes(findings)).containsExactly(Mistake.S4);
        assertThat(findings.get(0).sentence())
                .endsWith("(if the load is the condition of a loop, wait by Node.loadUntil)");
    }

    /** READs the word of the peer into a word of its own, and gives it. */
    private static long reads(Node node, World world, int offset) {
        world.a.qp().postSend(world.a.read(1, offset, 8, world.b));
        world.a.sent().awaitCompletion(LONG).status();
        return node.load(world.a.memory(), offset);
    }

    @Test
    void flagThatItsOwnerStoresBehindTheDataTellsWhoReadsIt() {
        Body owner = (node, world) -> {
            node.store(world.b.memory(), 0, 5);
            node.store(world.b.memory(), 8, 1);
        };
        assertThat(found(
                        (node, world) -> {
                            while (reads(node, world, 8) != 1) {
                                // Not yet.
                            }
                            assertThat(reads(node, world, 0)).isEqualTo(5);
                        },
                        owner))
                .isEmpty();
        assertThat(mistakes(found(
                        (node, world) -> {
                            if (reads(node, world, 8) == 1) {
                                reads(node, world, 0);
                            }
                        },
                        (node, world) -> {
                            node.store(world.b.memory(), 8, 1);
                            pause(node);
                            node.store(world.b.memory(), 0, 5);
                        })))
                .containsExactly(Mistake.S4);
    }

    @Test
    void recordThatIsReadWhileItsOwnerStoresIsTornUnlessItIsReadAgain() {
        Body owner = (node, world) -> {
            for (long version = 1; version <= 5; version += 2) {
                node.store(world.b.memory(), 16, version);
                node.store(world.b.memory(), 0, version);
                node.store(world.b.memory(), 8, version);
                node.store(world.b.memory(), 16, version + 1);
            }
        };
        assertThat(found(
                        (node, world) -> {
                            long before;
                            do {
                                before = reads(node, world, 16);
                                world.a.qp().postSend(world.a.read(2, 0, 16, world.b));
                                world.a.sent().awaitCompletion(LONG).status();
                            } while (before < 6 || reads(node, world, 16) != before);
                            assertThat(node.load(world.a.memory(), 0)).isEqualTo(node.load(world.a.memory(), 8));
                        },
                        owner))
                .isEmpty();
        assertThat(mistakes(found(
                        (node, world) -> {
                            world.a.qp().postSend(world.a.read(2, 0, 16, world.b));
                            world.a.sent().awaitCompletion(LONG).status();
                        },
                        owner)))
                .containsExactly(Mistake.S4);
    }

    @Test
    void resultOfAReadWaitedForByLoadsIsFound() {
        List<Finding> all = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            Sanitizer sanitizer = Sanitizer.withSites();
            try (Simulation simulation =
                    new Simulation(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                RcPair pair = RcPair.connect(simulation.open("a"), simulation.open("b"));
                pair.right().memory().buffer().putLong(0, 7);
                simulation.node("a", node -> {
                    pair.left().qp().postSend(pair.left().read(1, 0, 8, pair.right()));
                    node.loadUntil(pair.left().memory(), 0, value -> value == 7);
                    pair.left().sent().awaitCompletion(LONG).status();
                });
                simulation.run();
                all.addAll(sanitizer.errors());
            }
        }
        assertThat(mistakes(all)).contains(Mistake.S20);
    }

    /** READs the word at 0, the record at 8, and the word again, until it is even and has not changed. */
    private static void readRecord(World world) {
        long before;
        long after;
        do {
            for (int each : new int[] {0, 8, 16}) {
                int remote = each == 16 ? 0 : each;
                world.a
                        .qp()
                        .postSend(
                                SendWorkRequest.read(1, world.b.address(remote), world.b.rkey(), world.a.sge(each, 8)));
                assertThat(world.a.sent().awaitCompletion(LONG).isSuccess()).isTrue();
            }
            before = world.a.memory().buffer().getLong(0);
            after = world.a.memory().buffer().getLong(16);
        } while (before != after || before % 2 != 0);
    }

    /** Long enough that in some runs the other program has READ all before. */
    private static void pause(Node node) {
        for (int i = 0; i < 20; i++) {
            node.others();
        }
    }

    @Test
    void recordBehindAVersionIsNoRaceWithTheNextChange() {
        List<Finding> findings = found((node, world) -> readRecord(world), (node, world) -> {
            for (long version : new long[] {1, 3}) {
                pause(node);
                node.store(world.b.memory(), 0, version);
                node.store(world.b.memory(), 8, version);
                node.store(world.b.memory(), 0, version + 1);
            }
        });
        assertThat(findings).isEmpty();
    }

    @Test
    void recordThatIsChangedBeforeItsVersionIsARace() {
        List<Finding> findings = found((node, world) -> readRecord(world), (node, world) -> {
            pause(node);
            node.store(world.b.memory(), 8, 1);
            node.store(world.b.memory(), 0, 2);
        });
        assertThat(mistakes(findings)).containsExactly(Mistake.S4);
    }
}
