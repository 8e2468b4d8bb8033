// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.SeedMix;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is data and what is a flag where both are one word: wrong programs are found in each schedule that comes to the look, the default one
 * included, and right ones in none.
 */
class FlagsAndDataTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final int SEEDS = 25;
    private static final int DATA = 0;
    private static final int FLAG = 8;
    private static final int OTHER = 64;
    private static final int LARGE = 128;

    /** Of a run: two connected sides, and what programs tell each other outside of the network. */
    private record Sides(RcPeer a, RcPeer b, List<String> told) {

        SendWorkRequest word(long id, int offset) {
            return a.write(id, offset, Long.BYTES, b);
        }

        SendWorkRequest atomicFlag(long id) {
            return SendWorkRequest.atomicWrite(id, b.address(FLAG), b.rkey(), a.sge(FLAG, Long.BYTES));
        }

        void tell(Node node, String what) {
            told.add(what);
            node.others();
        }

        void await(Node node, String what) {
            node.await(() -> told.contains(what));
        }

        /** A reads the word of b into the same place, and gives it. */
        long read(int offset, int lengthBytes) {
            a.qp().postSend(a.read(1, offset, lengthBytes, b));
            return completed(a).memory().buffer().getLong(offset);
        }

        static RcPeer completed(RcPeer side) {
            assertThat(side.sent().awaitCompletion(LONG).isSuccess()).isTrue();
            return side;
        }

        static void received(RcPeer side) {
            assertThat(side.received().awaitCompletion(LONG).isSuccess()).isTrue();
        }
    }

    private static void pause(Node node) {
        for (int turn = 0; turn < 20; turn++) {
            node.others();
        }
    }

    private interface Body {
        void run(Node node, Sides sides);
    }

    /** What is found in each run: with default choices, and with seeds. */
    private static List<Set<Mistake>> found(Body left, Body right) {
        List<Set<Mistake>> all = new ArrayList<>();
        for (long seed = -1; seed < SEEDS; seed++) {
            Schedule schedule = seed < 0
                    ? Schedule.by(Choices.canonical(), OpenChoices.NONE)
                    : Schedule.by(SeedMix.choices(seed), OpenChoices.LEGAL);
            Sanitizer sanitizer = Sanitizer.withoutSites();
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                RcPair pair = RcPair.connect(simulation.open("a"), simulation.open("b"));
                Sides sides = new Sides(pair.left(), pair.right(), new ArrayList<>());
                sides.a.memory().buffer().putLong(DATA, 42).putLong(FLAG, 1).putLong(OTHER, 43);
                sides.b.qp().postRecv(sides.b.receive(1, 256, Long.BYTES));
                sides.a.qp().postRecv(sides.a.receive(1, 256, Long.BYTES));
                simulation.node("a", node -> left.run(node, sides));
                simulation.node("b", node -> right.run(node, sides));
                assertThat(simulation.run()).isTrue();
            }
            Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);
            sanitizer.errors().forEach(finding -> mistakes.add(finding.mistake()));
            all.add(mistakes);
        }
        return all;
    }

    /** Data of one word, and behind them what tells of them. */
    enum Told {
        BY_A_FLAG(Mistake.S6, sides -> sides.word(2, FLAG), Told::waitsForTheFlag),
        BY_A_FLAG_IN_A_LOOP(Mistake.S6, sides -> sides.word(2, FLAG), (node, sides) -> {
            while (node.load(sides.b.memory(), FLAG) != 1) {
                // Not yet.
            }
        }),
        BY_A_FLAG_AND_LOOKED_AT_BEFORE_SOMETHING_ELSE(Mistake.S6, sides -> sides.word(2, FLAG), (node, sides) -> {
            waitsForTheFlag(node, sides);
            node.load(sides.b.memory(), DATA);
            node.load(sides.b.memory(), OTHER);
        }),
        OUTSIDE_OF_THE_NETWORK(Mistake.S4, sides -> null, (node, sides) -> sides.await(node, "a")),
        BY_A_STORED_WORD_THAT_IS_READ(Mistake.S4, sides -> null, (node, sides) -> {
            do {
                sides.b.qp().postSend(sides.b.read(3, OTHER, Long.BYTES, sides.a));
                Sides.completed(sides.b);
            } while (sides.b.memory().buffer().getLong(OTHER) != 7);
        }),
        BY_AN_ATOMIC_WRITE(null, sides -> sides.atomicFlag(2), Told::waitsForTheFlag),
        BY_A_MESSAGE(null, sides -> SendWorkRequest.send(2), (node, sides) -> Sides.received(sides.b)),
        BY_THE_WORD_ITSELF(null, sides -> sides.word(2, FLAG), (node, sides) -> {
            waitsForTheFlag(node, sides);
            node.loadUntil(sides.b.memory(), DATA, value -> value == 42);
        }),
        BY_THE_WORD_ITSELF_IN_A_LOOP(null, sides -> sides.word(2, FLAG), (node, sides) -> {
            while (node.load(sides.b.memory(), DATA) != 42) {
                // Not yet.
            }
            waitsForTheFlag(node, sides);
        });

        private final @Nullable Mistake mistake;
        private final Function<Sides, @Nullable SendWorkRequest> flag;
        private final Body wait;

        Told(@Nullable Mistake mistake, Function<Sides, @Nullable SendWorkRequest> flag, Body wait) {
            this.mistake = mistake;
            this.flag = flag;
            this.wait = wait;
        }

        private static void waitsForTheFlag(Node node, Sides sides) {
            node.loadUntil(sides.b.memory(), FLAG, value -> value == 1);
        }

        private void write(Node node, Sides sides) {
            sides.a.qp().postSend(sides.word(1, DATA));
            SendWorkRequest behind = flag.apply(sides);
            if (behind != null) {
                sides.a.qp().postSend(behind);
                Sides.completed(sides.a);
            }
            Sides.completed(sides.a);
            sides.tell(node, "a");
            node.store(sides.a.memory(), OTHER, 7);
        }

        private void look(Node node, Sides sides) {
            wait.run(node, sides);
            node.load(sides.b.memory(), DATA);
        }
    }

    @Rule({"ORD-31", "ORD-33"})
    @ParameterizedTest
    @EnumSource(Told.class)
    void wordThatIsLookedAtOnceWhenItWasToldIsData(Told told) {
        Set<Mistake> expected = told.mistake == null ? Set.of() : Set.of(told.mistake);
        assertThat(found(told::write, told::look))
                .allSatisfy(found -> assertThat(found).isEqualTo(expected));
    }

    /** How data of one word are loaded behind a flag, both of a WRITE of their own. */
    enum Behind {
        ONCE(Mistake.S6, (node, sides) -> node.load(sides.b.memory(), DATA)),
        IN_A_LOOP_OVER_WORDS(Mistake.S6, (node, sides) -> {
            for (int word = 0; word < 1; word++) {
                if (node.load(sides.b.memory(), DATA + word * Long.BYTES) != 42) {
                    sides.told.add("wrong");
                }
            }
        }),
        IN_A_LOOP_OVER_WORDS_THAT_ADDS_THEM_UP(Mistake.S6, (node, sides) -> {
            long sum = 0;
            long offset = DATA;
            do {
                sum += node.load(sides.b.memory(), (int) offset);
                offset += Long.BYTES;
            } while (offset < FLAG);
            sides.told.add("sum " + sum);
        }),
        IN_A_LOOP_THAT_ENDS_BY_SOMETHING_ELSE(Mistake.S6, (node, sides) -> {
            boolean isOdd;
            do {
                isOdd = sides.told.size() % 2 == 1;
                sides.told.add("was " + node.load(sides.b.memory(), DATA));
            } while (isOdd);
        }),
        IN_A_LOOP_THAT_ENDS_BY_ANOTHER_VARIABLE(Mistake.S6, (node, sides) -> {
            long value = 0;
            while (sides.told.isEmpty()) {
                sides.told.add("seen");
                value = node.load(sides.b.memory(), DATA);
            }
            sides.told.add("was " + value);
        }),
        BY_LOAD_UNTIL(null, (node, sides) -> node.loadUntil(sides.b.memory(), DATA, value -> value == 42)),
        UNTIL_IT_IS_THERE(null, (node, sides) -> {
            while (node.load(sides.b.memory(), DATA) != 42) {
                // Not yet.
            }
        }),
        UNTIL_A_BIT_OF_IT_IS_SET(null, (node, sides) -> {
            long value;
            do {
                value = node.load(sides.b.memory(), DATA);
            } while ((value & 1L << 5) == 0);
        }),
        UNTIL_A_BREAK(null, (node, sides) -> {
            for (; ; ) {
                if ((int) node.load(sides.b.memory(), DATA) != 0) {
                    break;
                }
                node.others();
                Thread.onSpinWait();
            }
        }),
        UNTIL_A_VARIABLE_IS_SET(null, (node, sides) -> {
            for (long value = 0; value == 0; ) {
                value = node.load(sides.b.memory(), DATA);
            }
        }),
        IN_A_LOOP_OF_ANOTHER_METHOD(null, Behind::waitsInALoop);

        private final @Nullable Mistake mistake;
        private final Body look;

        Behind(@Nullable Mistake mistake, Body look) {
            this.mistake = mistake;
            this.look = look;
        }

        private static void waitsInALoop(Node node, Sides sides) {
            while (node.load(sides.b.memory(), DATA) == 0) {
                Thread.onSpinWait();
            }
        }

        private static void write(Node node, Sides sides) {
            sides.a.qp().postSend(sides.word(1, DATA));
            sides.a.qp().postSend(sides.word(2, FLAG));
            Sides.completed(sides.a);
            Sides.completed(sides.a);
        }

        private void waitsForTheFlag(Node node, Sides sides) {
            while (node.load(sides.b.memory(), FLAG) != 1) {
                // Not yet.
            }
            look.run(node, sides);
        }
    }

    @Rule({"ORD-31", "ORD-33"})
    @ParameterizedTest
    @EnumSource(Behind.class)
    void loopThatWaitsForTheDataIsRightAlsoIfItsFirstLookEndsIt(Behind behind) {
        Set<Mistake> expected = behind.mistake == null ? Set.of() : Set.of(behind.mistake);
        assertThat(found(Behind::write, behind::waitsForTheFlag))
                .allSatisfy(found -> assertThat(found).isEqualTo(expected));
    }

    /** A word that its owner stores, and a peer READs once. */
    enum Read {
        FLAG_BEFORE_WHAT_IT_TELLS_OF(
                false,
                (node, sides) -> {
                    if (sides.read(FLAG, Long.BYTES) == 1) {
                        assertThat(sides.read(DATA, Long.BYTES)).isEqualTo(5);
                    }
                },
                Read::dataFirst),
        FLAG_BEFORE_A_RECORD(
                false,
                (node, sides) -> {
                    if (sides.read(FLAG, Long.BYTES) == 1) {
                        sides.read(DATA, Long.BYTES);
                        sides.read(LARGE, 16);
                    }
                },
                (node, sides) -> {
                    node.store(sides.b.memory(), LARGE, 5);
                    node.store(sides.b.memory(), LARGE + 8, 5);
                    dataFirst(node, sides);
                }),
        FLAG_AND_A_LAST_MESSAGE(
                false,
                (node, sides) -> {
                    sides.read(FLAG, Long.BYTES);
                    Sides.received(sides.a);
                },
                (node, sides) -> {
                    dataFirst(node, sides);
                    sides.b.qp().postSend(SendWorkRequest.send(2));
                    Sides.completed(sides.b);
                }),
        FLAG_AND_DATA_POSTED_AT_ONCE(
                false,
                (node, sides) -> {
                    sides.a
                            .qp()
                            .postSend(sides.a.read(1, FLAG, Long.BYTES, sides.b).unsignaled());
                    sides.read(DATA, Long.BYTES);
                },
                Read::dataFirst),
        DATA_OF_WHICH_A_MESSAGE_TELLS(
                true,
                (node, sides) -> {
                    Sides.received(sides.a);
                    sides.read(DATA, Long.BYTES);
                    sides.tell(node, "a");
                },
                (node, sides) -> {
                    sides.b.qp().postSend(SendWorkRequest.send(2));
                    Sides.completed(sides.b);
                    node.store(sides.b.memory(), DATA, 5);
                }),
        DATA_BEFORE_THE_FLAG(
                true,
                (node, sides) -> {
                    sides.read(DATA, Long.BYTES);
                    pause(node);
                    sides.read(FLAG, Long.BYTES);
                },
                (node, sides) -> {
                    pause(node);
                    dataFirst(node, sides);
                }),
        FLAG_THAT_WAS_STORED_BEFORE_THE_DATA(
                true,
                (node, sides) -> {
                    while (sides.read(FLAG, Long.BYTES) != 1) {
                        node.others();
                    }
                    sides.read(DATA, Long.BYTES);
                },
                (node, sides) -> {
                    node.store(sides.b.memory(), FLAG, 1);
                    pause(node);
                    node.store(sides.b.memory(), DATA, 5);
                }),
        RECORD_WITHOUT_A_FLAG(true, (node, sides) -> sides.read(LARGE, 16), (node, sides) -> {
            node.store(sides.b.memory(), LARGE, 5);
            node.store(sides.b.memory(), LARGE + 8, 5);
        });

        private final boolean isWrong;
        private final Body reader;
        private final Body owner;

        Read(boolean isWrong, Body reader, Body owner) {
            this.isWrong = isWrong;
            this.reader = reader;
            this.owner = owner;
        }

        private static void dataFirst(Node node, Sides sides) {
            node.store(sides.b.memory(), DATA, 5);
            node.store(sides.b.memory(), FLAG, 1);
        }
    }

    @Rule({"ORD-21", "ORD-37"})
    @ParameterizedTest
    @EnumSource(Read.class)
    void oneReadOfAWordThatIsStoredWholeIsOneValueOrTheOther(Read read) {
        List<Set<Mistake>> found = found(read.reader, read.owner);
        if (read.isWrong) {
            assertThat(found).contains(Set.of(Mistake.S4)).isSubsetOf(Set.of(), Set.of(Mistake.S4));
        } else {
            assertThat(found).allMatch(Set::isEmpty);
        }
    }

    /** A region of its own that requests name, and when it is closed. */
    enum Closed {
        BEFORE_THE_POLL(true, (node, sides) -> {
            MemoryRegion region = post(sides);
            region.close();
            sides.a.sent().awaitCompletion(LONG).status();
        }),
        WHEN_A_PEER_HAS_SAID_THAT_IT_HAS_THE_MESSAGE(true, (node, sides) -> {
            MemoryRegion region = region(sides);
            sides.a.qp().postSend(SendWorkRequest.send(2, region.sge(0, 8)));
            sides.await(node, "b");
            region.close();
            sides.a.sent().awaitCompletion(LONG).status();
        }),
        WHEN_A_PEER_HAS_ANSWERED(true, (node, sides) -> {
            MemoryRegion region = region(sides);
            sides.a.qp().postSend(SendWorkRequest.send(2, region.sge(0, 8)));
            Sides.received(sides.a);
            region.close();
            sides.a.sent().awaitCompletion(LONG).status();
        }),
        BEHIND_A_FAILURE_THAT_NOBODY_HAS_POLLED(true, (node, sides) -> {
            sides.a.qp().postSend(SendWorkRequest.write(1, sides.b.address(0), 12345, sides.a.sge(0, 8)));
            MemoryRegion region = post(sides);
            sides.await(node, "b");
            region.close();
            sides.a.sent().awaitCompletion(LONG).status();
            sides.a.sent().awaitCompletion(LONG).status();
        }),
        BEHIND_THE_POLL(false, (node, sides) -> {
            MemoryRegion region = post(sides);
            Sides.completed(sides.a);
            region.close();
        }),
        BEHIND_THE_POLL_OF_A_LATER_ONE(false, (node, sides) -> {
            MemoryRegion region = region(sides);
            sides.a
                    .qp()
                    .postSend(SendWorkRequest.write(2, sides.b.address(0), sides.b.rkey(), region.sge(0, 8))
                            .unsignaled());
            sides.a.qp().postSend(sides.word(3, DATA));
            Sides.completed(sides.a);
            region.close();
        }),
        BEHIND_THE_QUEUE_PAIR(false, (node, sides) -> {
            MemoryRegion region = post(sides);
            sides.a.qp().close();
            region.close();
        });

        private final boolean isWrong;
        private final Body body;

        Closed(boolean isWrong, Body body) {
            this.isWrong = isWrong;
            this.body = body;
        }

        private static MemoryRegion region(Sides sides) {
            return sides.a.pd().register(Memory.allocate(8), AccessFlags.LOCAL_WRITE);
        }

        private static MemoryRegion post(Sides sides) {
            MemoryRegion region = region(sides);
            sides.a.qp().postSend(SendWorkRequest.write(2, sides.b.address(0), sides.b.rkey(), region.sge(0, 8)));
            return region;
        }

        private void peer(Node node, Sides sides) {
            if (this == WHEN_A_PEER_HAS_ANSWERED || this == WHEN_A_PEER_HAS_SAID_THAT_IT_HAS_THE_MESSAGE) {
                Sides.received(sides.b);
                sides.b.qp().postSend(SendWorkRequest.send(4));
                Sides.completed(sides.b);
            }
            pause(node);
            sides.tell(node, "b");
        }
    }

    @Rule("MR-53")
    @ParameterizedTest
    @EnumSource(Closed.class)
    void regionIsInUseUntilTheCompletionIsPolled(Closed closed) {
        Set<Mistake> expected = closed.isWrong ? Set.of(Mistake.S8) : Set.of();
        assertThat(found(closed.body, closed::peer))
                .allSatisfy(found -> assertThat(found).isEqualTo(expected));
    }

    /** How the result of a READ or an atomic is looked at before its completion was polled. */
    enum Result {
        LOADED((node, sides) -> node.load(sides.a.memory(), OTHER)),
        LOADED_LATE((node, sides) -> {
            pause(node);
            node.load(sides.a.memory(), OTHER);
        }),
        WAITED_FOR_BY_LOADS((node, sides) -> {
            while (node.load(sides.a.memory(), OTHER) == 43) {
                // Not yet.
            }
        }),
        WAITED_FOR((node, sides) -> node.loadUntil(sides.a.memory(), OTHER, value -> value != 43));

        private final Body look;

        Result(Body look) {
            this.look = look;
        }

        private void run(Node node, Sides sides, SendWorkRequest request, boolean isWrong) {
            sides.a.qp().postSend(request);
            if (isWrong) {
                look.run(node, sides);
            }
            Sides.completed(sides.a);
            if (!isWrong) {
                look.run(node, sides);
            }
        }
    }

    @Rule("ORD-34")
    @ParameterizedTest
    @EnumSource(Result.class)
    void resultIsTheProgramsBehindItsCompletion(Result result) {
        Function<Sides, SendWorkRequest> read =
                sides -> SendWorkRequest.read(1, sides.b.address(FLAG), sides.b.rkey(), sides.a.sge(OTHER, 8));
        Function<Sides, SendWorkRequest> add = sides ->
                SendWorkRequest.fetchAndAdd(1, sides.b.address(FLAG), sides.b.rkey(), 1, sides.a.sge(OTHER, 8));
        for (Function<Sides, SendWorkRequest> request : List.of(read, add)) {
            assertThat(found((node, sides) -> result.run(node, sides, request.apply(sides), true), (node, sides) -> {}))
                    .allSatisfy(found -> assertThat(found).isNotEmpty().isSubsetOf(Mistake.S2, Mistake.S20));
            assertThat(found(
                            (node, sides) -> result.run(node, sides, request.apply(sides), false), (node, sides) -> {}))
                    .allMatch(Set::isEmpty);
        }
    }
}
