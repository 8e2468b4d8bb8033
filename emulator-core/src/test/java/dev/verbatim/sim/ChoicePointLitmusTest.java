// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Of each choice point a program that shows what it permits: explored with the point on, and with it off. Programs run on the
 * left; {@code x} and {@code y} are words of the right.
 */
@Rule({
    "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10", "N11", "N12", "N13", "N14", "N15", "N16", "N17", "N18",
    "ORD-02", "ORD-13", "ORD-18", "ORD-21", "ORD-22", "ORD-34", "ORD-35", "ORD-40"
})
class ChoicePointLitmusTest {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int MTU_BYTES = 256;

    /** The thousandth part of the one is shorter than the ACK timeout, that of the other longer. */
    private static final long SHORT_NANOS = 2_000_000;

    private static final long LONG_NANOS = 20_000_000;

    /** What is to be seen with the point on and off, and the points that are on in either case. */
    private record Litmus(Freedom besides, Function<LitmusPair, String> program, String[] on, String[] off) {

        static Litmus of(Function<LitmusPair, String> program, String... off) {
            return new Litmus(Freedom.NONE, program, off, off);
        }

        Litmus andWithThePoint(String... more) {
            String[] all = new String[off.length + more.length];
            System.arraycopy(off, 0, all, 0, off.length);
            System.arraycopy(more, 0, all, off.length, more.length);
            return new Litmus(besides, program, all, off);
        }

        Litmus besides(ChoicePoint point) {
            return new Litmus(besides.with(point), program, on, off);
        }
    }

    private static final Map<ChoicePoint, Litmus> PROGRAMS = new EnumMap<>(ChoicePoint.class);

    static {
        PROGRAMS.put(
                ChoicePoint.PROGRAM_STEP,
                Litmus.of(ChoicePointLitmusTest::loadBesideAWrite, "x=1").andWithThePoint("x=0"));
        PROGRAMS.put(
                ChoicePoint.REQUEST,
                Litmus.of(ChoicePointLitmusTest::sourceChangedAfterPosting, "x=1")
                        .andWithThePoint("x=2"));
        PROGRAMS.put(
                ChoicePoint.READ_FETCH,
                Litmus.of(ChoicePointLitmusTest::writeBehindARead, "r=0").andWithThePoint("r=1"));
        PROGRAMS.put(
                ChoicePoint.ACKNOWLEDGEMENT,
                Litmus.of(ChoicePointLitmusTest::errorBehindAWrite, "SUCCESS x=1")
                        .andWithThePoint("WR_FLUSH_ERR x=1"));
        PROGRAMS.put(
                ChoicePoint.ARRIVAL,
                Litmus.of(ChoicePointLitmusTest::sendOfWhatIsRead, "got=1").andWithThePoint("got=0"));
        PROGRAMS.put(
                ChoicePoint.PLACEMENT,
                Litmus.of(ChoicePointLitmusTest::pollOfALaterWrite, "x=1").andWithThePoint("x=0"));
        PROGRAMS.put(
                ChoicePoint.COMPLETION,
                Litmus.of(ChoicePointLitmusTest::twoQueuePairsOneCompletionQueue, "first=1")
                        .andWithThePoint("first=2"));
        PROGRAMS.put(
                ChoicePoint.GATHER_SPLIT,
                Litmus.of(SplitLitmus::sourceOfAWrite, "x=1 y=1").andWithThePoint("x=1 y=2", "x=2 y=1", "x=2 y=2"));
        PROGRAMS.put(
                ChoicePoint.FETCH_SPLIT,
                Litmus.of(SplitLitmus::twoWordsOfARead, "x=1 y=1").andWithThePoint("x=1 y=2", "x=2 y=1", "x=2 y=2"));
        PROGRAMS.put(
                ChoicePoint.PLACEMENT_SPLIT,
                Litmus.of(ChoicePointLitmusTest::pollOfTheLastWord, "x=1")
                        .andWithThePoint("x=0")
                        .besides(ChoicePoint.PLACEMENT));
        PROGRAMS.put(
                ChoicePoint.EARLY_LOCAL_CHECK,
                Litmus.of(ChoicePointLitmusTest::bothKeysWrong, "REM_ACCESS_ERR")
                        .andWithThePoint("LOC_PROT_ERR"));
        PROGRAMS.put(
                ChoicePoint.EARLY_LOCAL_INVALIDATE,
                Litmus.of(WindowLitmus::invalidationBehindASend, "SUCCESS x=1")
                        .andWithThePoint("REM_ACCESS_ERR x=0")
                        .besides(ChoicePoint.ARRIVAL));
        PROGRAMS.put(
                ChoicePoint.REFUSED_RECEIVE_KEPT,
                Litmus.of(ChoicePointLitmusTest::refusedImmediate, "LOC_ACCESS_ERR")
                        .andWithThePoint("WR_FLUSH_ERR"));
        PROGRAMS.put(
                ChoicePoint.EXECUTED_FLUSHED,
                Litmus.of(FlushLitmus::errorBehindARead, "SUCCESS r=1")
                        .andWithThePoint("WR_FLUSH_ERR r=1")
                        .besides(ChoicePoint.COMPLETION));
        PROGRAMS.put(
                ChoicePoint.KEY_INDEX,
                Litmus.of(pair -> "index=" + (pair.left.rkey() >>> 8), "index=1")
                        .andWithThePoint("index=2", "index=3", "index=4"));
        PROGRAMS.put(
                ChoicePoint.QP_NUMBER,
                Litmus.of(pair -> "qp=" + pair.left.qp.number(), "qp=17").andWithThePoint("qp=18", "qp=19", "qp=20"));
        PROGRAMS.put(
                ChoicePoint.RNR_TIMER_SLOP,
                Litmus.of(ChoicePointLitmusTest::timeOfTheSecondTry, "after 1 times its timer")
                        .andWithThePoint(
                                "after 2 times its timer", "after 3 times its timer", "after 4 times its timer"));
        PROGRAMS.put(
                ChoicePoint.ACK_TIMER_SLOP,
                Litmus.of(ChoicePointLitmusTest::timeOfTheEnd, "after 4 times its timeout")
                        .andWithThePoint(
                                "after 5 times its timeout",
                                "after 6 times its timeout",
                                "after 7 times its timeout",
                                "after 8 times its timeout",
                                "after 9 times its timeout",
                                "after 10 times its timeout",
                                "after 11 times its timeout",
                                "after 12 times its timeout",
                                "after 13 times its timeout",
                                "after 14 times its timeout",
                                "after 15 times its timeout",
                                "after 16 times its timeout"));
        PROGRAMS.put(
                ChoicePoint.ASYNC_EVENT,
                Litmus.of(EventLitmus::eventBesideAReceive, "the receive: event")
                        .andWithThePoint("the receive: none"));
        PROGRAMS.put(
                ChoicePoint.COMMUNICATION_ESTABLISHED,
                Litmus.of(EventLitmus::eventInTheEnd, "in the end: COMM_EST").andWithThePoint("in the end: none"));
        PROGRAMS.put(
                ChoicePoint.EVENT_MERGE,
                Litmus.of(EventLitmus::firingsThatNobodyReads, "2 events").andWithThePoint("1 events"));
        PROGRAMS.put(
                ChoicePoint.SPURIOUS_EVENT,
                Litmus.of(EventLitmus::armedBehindACompletion, "0 events").andWithThePoint("1 events"));
        Litmus resent = Litmus.of(ChoicePointLitmusTest::sourceChangedAfterPosting, "x=1")
                .andWithThePoint("x=2");
        PROGRAMS.put(ChoicePoint.LINK_DROP, resent);
        PROGRAMS.put(ChoicePoint.LINK_CORRUPT, resent);
        PROGRAMS.put(ChoicePoint.LINK_CUT, resent);
        PROGRAMS.put(ChoicePoint.LINK_DELAY, resent);
        PROGRAMS.put(
                ChoicePoint.FAULT_LENGTH,
                Litmus.of(ChoicePointLitmusTest::timeOfAWrite, "after 0 us", "after 2 us")
                        .andWithThePoint("after 4 us", "after 6 us", "after 8 us")
                        .besides(ChoicePoint.LINK_DELAY));
        PROGRAMS.put(
                ChoicePoint.LINK_DUPLICATE,
                Litmus.of(ChoicePointLitmusTest::packetsOfAnAtomic, "x=1 packets=2")
                        .andWithThePoint("x=1 packets=3"));
        PROGRAMS.put(
                ChoicePoint.LINK_REORDER,
                Litmus.of(ChoicePointLitmusTest::packetsOfOneWrite, "x=1")
                        .andWithThePoint("x=2")
                        .besides(ChoicePoint.ARRIVAL));
        Litmus unknown = Litmus.of(ChoicePointLitmusTest::unknownOutcome, "SUCCESS x=1")
                .andWithThePoint("RETRY_EXC_ERR x=0", "RETRY_EXC_ERR x=1");
        PROGRAMS.put(ChoicePoint.DEVICE_SILENCE, unknown);
        PROGRAMS.put(
                ChoicePoint.DEVICE_CRASH,
                Litmus.of(ChoicePointLitmusTest::outcomeOfACrash, "SUCCESS x=1").andWithThePoint("RETRY_EXC_ERR x=1"));
    }

    /** Left writes x; right loads it at any time. */
    private static String loadBesideAWrite(LitmusPair pair) {
        long[] seen = new long[1];
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.sent();
        });
        pair.simulation.node("right", node -> seen[0] = node.load(pair.theirs(), 0));
        return pair.run() + "x=" + seen[0];
    }

    /** Left changes the source of a WRITE after it has posted it (ORD-35, N9). */
    private static String sourceChangedAfterPosting(LitmusPair pair) {
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            node.store(pair.mine(), 0, 2);
            pair.sent();
        });
        return pair.run() + "x=" + pair.theirs().buffer().getLong(0);
    }

    private static String writeBehindARead(LitmusPair pair) {
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.read(1, 0, 8, 8));
            pair.left.qp.postSend(pair.write(2, 0, 8));
            pair.sent();
            pair.sent();
        });
        return pair.run() + "r=" + pair.mine().buffer().getLong(8);
    }

    /** A WRITE that is executed, and yet flushed (N8). */
    private static String errorBehindAWrite(LitmusPair pair) {
        WorkCompletion[] done = new WorkCompletion[1];
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.left.qp.modify(new QpAttributes().state(QpState.ERR));
            done[0] = pair.sent();
        });
        return pair.run() + done[0].status() + " x=" + pair.theirs().buffer().getLong(0);
    }

    private static String sendOfWhatIsRead(LitmusPair pair) {
        pair.theirs().buffer().putLong(0, 1);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(8, 8)));
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.read(1, 0, 0, 8));
            pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
            pair.sent();
            pair.sent();
        });
        return pair.run() + "got=" + pair.theirs().buffer().getLong(8);
    }

    /** LT-05. */
    private static String pollOfALaterWrite(LitmusPair pair) {
        long[] seen = new long[1];
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.left.qp.postSend(pair.write(2, 8, 8));
        });
        pair.simulation.node("right", node -> {
            node.await(() -> pair.theirs().buffer().getLong(8) == 1);
            seen[0] = node.load(pair.theirs(), 0);
        });
        return pair.run() + "x=" + seen[0];
    }

    /** The same within one WRITE of two words. */
    private static String pollOfTheLastWord(LitmusPair pair) {
        long[] seen = new long[1];
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            node.store(pair.mine(), 8, 1);
            pair.left.qp.postSend(pair.write(1, 0, 16));
        });
        pair.simulation.node("right", node -> {
            node.await(() -> pair.theirs().buffer().getLong(8) == 1);
            seen[0] = node.load(pair.theirs(), 0);
        });
        return pair.run() + "x=" + seen[0];
    }

    private static String twoQueuePairsOneCompletionQueue(LitmusPair pair) {
        long[] first = new long[1];
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.second.postSend(pair.write(2, 0, 8));
            first[0] = pair.sent().id();
            pair.sent();
        });
        return pair.run() + "first=" + first[0];
    }

    private static String bothKeysWrong(LitmusPair pair) {
        WorkCompletion[] done = new WorkCompletion[1];
        pair.simulation.node("left", node -> {
            Sge nowhere = new Sge(pair.left.address(0), 8, 0xbad00);
            pair.left.qp.postSend(SendWorkRequest.read(1, pair.right.address(0), 0xbad00, nowhere));
            done[0] = pair.sent();
        });
        return pair.run() + done[0].status();
    }

    private static String refusedImmediate(LitmusPair pair) {
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(
                    SendWorkRequest.writeWithImmediate(1, pair.right.address(0), 0xbad00, 5, pair.left.sge(0, 8)));
            pair.sent();
        });
        pair.run();
        return pair.right.recvCq.awaitCompletion(LONG).status().toString();
    }

    /** A SEND that meets no receive, and one that was posted meanwhile. */
    private static String timeOfTheSecondTry(LitmusPair pair) {
        long[] nanos = new long[1];
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
            pair.sent();
            nanos[0] = pair.simulation.fabric().clock().nanoTime();
        });
        return pair.run() + "after " + nanos[0] / 10_000 + " times its timer";
    }

    /** Three retries that nobody answers. */
    private static String timeOfTheEnd(LitmusPair pair) {
        long[] nanos = new long[1];
        pair.simulation.fabric().cut(pair.left.device.gid(), pair.right.device.gid());
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.sent();
            nanos[0] = pair.simulation.fabric().clock().nanoTime();
        });
        return pair.run() + "after " + nanos[0] / 8_192 + " times its timeout";
    }

    /** It is delayed, or, if that lasts longer than the timeout, sent again. */
    private static String timeOfAWrite(LitmusPair pair) {
        long[] nanos = new long[1];
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.sent();
            nanos[0] = pair.simulation.fabric().clock().nanoTime();
        });
        return pair.run() + "after " + nanos[0] / 1_000 + " us";
    }

    private static String packetsOfAnAtomic(LitmusPair pair) {
        int[] packets = new int[1];
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(
                    SendWorkRequest.fetchAndAdd(1, pair.right.address(0), pair.right.rkey(), 1, pair.left.sge(0, 8)));
            pair.sent();
        });
        FaultPolicy chance = pair.simulation.fabric().faults();
        pair.simulation.fabric().decideBy((from, to, packet) -> {
            Fate fate = chance.decide(from, to, packet);
            packets[0] += fate.copies();
            return fate;
        });
        return pair.run() + "x=" + pair.theirs().buffer().getLong(0) + " packets=" + packets[0];
    }

    /** The second packet overtakes the first, which is asked for again. */
    private static String packetsOfOneWrite(LitmusPair pair) {
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 2 * MTU_BYTES));
            node.store(pair.mine(), 0, 2);
            pair.sent();
        });
        return pair.run() + "x=" + pair.theirs().buffer().getLong(0);
    }

    private static String unknownOutcome(LitmusPair pair) {
        WorkCompletion[] done = new WorkCompletion[1];
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            done[0] = pair.sent();
        });
        return pair.run() + done[0].status() + " x=" + pair.theirs().buffer().getLong(0);
    }

    /** The same, but that the one who asks does not crash: nobody would be there to tell. */
    private static String outcomeOfACrash(LitmusPair pair) {
        FaultPolicy chance = pair.simulation.fabric().faults();
        pair.simulation
                .fabric()
                .decideBy((from, to, packet) ->
                        from.equals(pair.left.device.gid()) ? Fate.DELIVER : chance.decide(from, to, packet));
        return unknownOutcome(pair);
    }

    @Test
    void eachPointHasItsProgram() {
        assertThat(PROGRAMS).containsOnlyKeys(ChoicePoint.values());
    }

    @ParameterizedTest
    @EnumSource
    void pointShowsWhatItPermitsAndNothingOfItWhenItIsOff(ChoicePoint point) {
        Litmus litmus = PROGRAMS.get(point);
        Freedom off = new Freedom(litmus.besides().points(), 1);
        assertThat(outcomes(off, point, litmus)).as("off").containsExactlyInAnyOrder(litmus.off());
        assertThat(outcomes(off.with(point), point, litmus)).as("on").containsExactlyInAnyOrder(litmus.on());
        RuleCoverage.assertOutcome();
    }

    /** A WRITE of two packets into a region that ends: all of it, the first half, or nothing (N7). */
    @Test
    void accessUnderWayWhenARegionEndsSucceedsOrLeavesAPrefix() {
        Litmus litmus = Litmus.of(ChoicePointLitmusTest::endOfARegion, "SUCCESS x=1 y=1")
                .andWithThePoint("REM_ACCESS_ERR x=0 y=0", "REM_ACCESS_ERR x=1 y=0")
                .besides(ChoicePoint.PROGRAM_STEP);
        Freedom on = litmus.besides().with(ChoicePoint.ARRIVAL);
        assertThat(outcomes(Freedom.NONE, ChoicePoint.ARRIVAL, litmus)).containsExactlyInAnyOrder(litmus.off());
        assertThat(outcomes(on, ChoicePoint.ARRIVAL, litmus)).containsExactlyInAnyOrder(litmus.on());
        RuleCoverage.assertOutcome();
    }

    /** The same when a window ends: bytes and outcomes are those of a region (MW-92, MW-07). */
    @Test
    @Rule({"MW-07", "MW-92"})
    void accessUnderWayWhenAWindowEndsSucceedsOrLeavesAPrefix() {
        for (WindowLitmus.End end : WindowLitmus.End.values()) {
            Litmus litmus = Litmus.of(pair -> WindowLitmus.endOfAWindow(pair, end), "SUCCESS x=1 y=1")
                    .andWithThePoint("REM_ACCESS_ERR x=0 y=0", "REM_ACCESS_ERR x=1 y=0")
                    .besides(ChoicePoint.PROGRAM_STEP);
            Freedom on = litmus.besides().with(ChoicePoint.ARRIVAL);
            assertThat(outcomes(Freedom.NONE, ChoicePoint.ARRIVAL, litmus)).containsExactlyInAnyOrder(litmus.off());
            assertThat(outcomes(on, ChoicePoint.ARRIVAL, litmus)).as("%s", end).containsExactlyInAnyOrder(litmus.on());
        }
        RuleCoverage.assertOutcome();
    }

    /** What the table orders is ordered whatever is placed late or fetched late; a program that polls has no such promise. */
    @Test
    @Rule({"ORD-01", "ORD-11"})
    void readSeesTheWriteBeforeItAndAWriteWinsOverTheSendBeforeIt() {
        Litmus ordered = Litmus.of(ChoicePointLitmusTest::orderedPairs, "r=1 y=1");
        Freedom besides = Freedom.of(ChoicePoint.PLACEMENT);
        for (ChoicePoint point : new ChoicePoint[] {ChoicePoint.READ_FETCH, ChoicePoint.ACKNOWLEDGEMENT}) {
            assertThat(outcomes(besides.with(point), point, ordered)).containsExactly(ordered.on());
        }
        RuleCoverage.assertOutcome();
    }

    /** WRITE to x, READ of x, SEND of what is not 1 into y, WRITE to y. */
    private static String orderedPairs(LitmusPair pair) {
        pair.mine().buffer().putLong(0, 1).putLong(16, 5);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(8, 8)));
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(List.of(
                    pair.write(1, 0, 8),
                    pair.read(2, 0, 24, 8),
                    SendWorkRequest.send(3, pair.left.sge(16, 8)),
                    pair.write(4, 8, 8)));
            for (int i = 0; i < 4; i++) {
                pair.sent();
            }
        });
        return pair.run() + "r=" + pair.mine().buffer().getLong(24) + " y="
                + pair.theirs().buffer().getLong(8);
    }

    /** A region may ask for what all regions may have: the flag changes nothing, and takes nothing away (MR-71). */
    @Test
    @Rule({"MR-71", "ORD-38"})
    void relaxedOrderingGivesUpWhatProgramsSeeBeforeACompletionAndNothingElse() {
        Litmus polling = Litmus.of(pair -> relaxed(pair, false), "x=1 old=0").andWithThePoint("x=0 old=0");
        Litmus waiting = Litmus.of(pair -> relaxed(pair, true), "x=1 old=0");
        Freedom on = Freedom.of(ChoicePoint.PLACEMENT);
        assertThat(outcomes(on, ChoicePoint.PLACEMENT, polling)).containsExactlyInAnyOrder(polling.on());
        assertThat(outcomes(on, ChoicePoint.PLACEMENT, waiting)).containsExactlyInAnyOrder(waiting.on());
        RuleCoverage.assertOutcome();
    }

    /** Left writes x, then y, sends, and adds to a third word; right, whose turn comes first, polls y or waits for the message. */
    private static String relaxed(LitmusPair pair, boolean waits) {
        MemoryRegion region = pair.right.pd.register(pair.theirs(), Side.ALL_RIGHTS | AccessFlags.RELAXED_ORDERING);
        long[] seen = new long[1];
        pair.mine().buffer().putLong(0, 1);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
        pair.simulation.node("right", node -> {
            if (waits) {
                pair.right.recvCq.awaitCompletion(LONG);
            } else {
                node.await(() -> pair.theirs().buffer().getLong(8) == 1);
            }
            seen[0] = node.load(pair.theirs(), 0);
        });
        pair.simulation.node("left", node -> {
            for (int i = 0; i < 2; i++) {
                pair.left.qp.postSend(
                        SendWorkRequest.write(i, region.address() + 8L * i, region.rkey(), pair.left.sge(0, 8)));
            }
            pair.left.qp.postSend(SendWorkRequest.send(3));
            pair.left.qp.postSend(
                    SendWorkRequest.fetchAndAdd(4, region.address() + 16, region.rkey(), 1, pair.left.sge(16, 8)));
        });
        return pair.run() + "x=" + seen[0] + " old=" + pair.mine().buffer().getLong(16);
    }

    private static String endOfARegion(LitmusPair pair) {
        WorkCompletion[] done = new WorkCompletion[1];
        pair.mine().buffer().putLong(0, 1).putLong(MTU_BYTES, 1);
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 2 * MTU_BYTES));
            done[0] = pair.sent();
        });
        pair.simulation.node("right", node -> pair.right.region.close());
        return pair.run()
                + done[0].status()
                + " x="
                + pair.theirs().buffer().getLong(0)
                + " y="
                + pair.theirs().buffer().getLong(MTU_BYTES);
    }

    private static Iterable<String> outcomes(Freedom freedom, ChoicePoint point, Litmus litmus) {
        LinkFaults faults = LinkFaults.NONE
                .delaying(0, point == ChoicePoint.FAULT_LENGTH ? SHORT_NANOS : LONG_NANOS)
                .cutting(0, LONG_NANOS);
        for (ChoicePoint fault : freedom.with(point).points()) {
            if (fault.kind() == ChoicePoint.Kind.FAULT) {
                faults = faults.with(fault, 500);
            }
        }
        SimulationOptions options = SimulationOptions.TIMELESS.faults(faults);
        Explored explored = new Exploration(freedom).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, options).tap(RuleCoverage::observe)) {
                return litmus.program().apply(new LitmusPair(simulation));
            }
        });
        assertThat(explored.isComplete()).isTrue();
        return explored.outcomes().keySet();
    }
}
