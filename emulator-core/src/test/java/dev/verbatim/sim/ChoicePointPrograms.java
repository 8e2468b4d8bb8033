// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** A litmus program for each choice point: what it shows with the point on, and with it off. */
abstract class ChoicePointPrograms {

    static final Duration LONG = Duration.ofDays(1);
    static final int MTU_BYTES = 256;

    /** The thousandth part of the one is shorter than the ACK timeout, that of the other longer. */
    static final long SHORT_NANOS = 2_000_000;

    static final long LONG_NANOS = 20_000_000;

    /** What is to be seen with the point on and off, and the points that are on in either case. */
    record Litmus(OpenChoices besides, Function<LitmusPair, String> program, String[] on, String[] off) {

        static Litmus of(Function<LitmusPair, String> program, String... off) {
            return new Litmus(OpenChoices.NONE, program, off, off);
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

    static final Map<ChoicePoint, Litmus> PROGRAMS = new EnumMap<>(ChoicePoint.class);

    static {
        PROGRAMS.put(
                ChoicePoint.PROGRAM_STEP,
                Litmus.of(ChoicePointPrograms::loadBesideAWrite, "x=1").andWithThePoint("x=0"));
        PROGRAMS.put(
                ChoicePoint.REQUEST,
                Litmus.of(ChoicePointPrograms::sourceChangedAfterPosting, "x=1").andWithThePoint("x=2"));
        PROGRAMS.put(
                ChoicePoint.READ_FETCH,
                Litmus.of(ChoicePointPrograms::writeBehindARead, "r=0").andWithThePoint("r=1"));
        PROGRAMS.put(
                ChoicePoint.ACKNOWLEDGEMENT,
                Litmus.of(ChoicePointPrograms::errorBehindAWrite, "SUCCESS x=1").andWithThePoint("WR_FLUSH_ERR x=1"));
        PROGRAMS.put(
                ChoicePoint.ARRIVAL,
                Litmus.of(ChoicePointPrograms::sendOfWhatIsRead, "got=1").andWithThePoint("got=0"));
        PROGRAMS.put(
                ChoicePoint.PLACEMENT,
                Litmus.of(ChoicePointPrograms::pollOfALaterWrite, "x=1").andWithThePoint("x=0"));
        PROGRAMS.put(
                ChoicePoint.COMPLETION,
                Litmus.of(ChoicePointPrograms::twoQueuePairsOneCompletionQueue, "first=1")
                        .andWithThePoint("first=2"));
        PROGRAMS.put(
                ChoicePoint.GATHER_SPLIT,
                Litmus.of(SplitLitmus::sourceOfAWrite, "x=1 y=1").andWithThePoint("x=1 y=2", "x=2 y=1", "x=2 y=2"));
        PROGRAMS.put(
                ChoicePoint.FETCH_SPLIT,
                Litmus.of(SplitLitmus::twoWordsOfARead, "x=1 y=1").andWithThePoint("x=1 y=2", "x=2 y=1", "x=2 y=2"));
        PROGRAMS.put(
                ChoicePoint.PLACEMENT_SPLIT,
                Litmus.of(ChoicePointPrograms::pollOfTheLastWord, "x=1")
                        .andWithThePoint("x=0")
                        .besides(ChoicePoint.PLACEMENT));
        PROGRAMS.put(
                ChoicePoint.EARLY_LOCAL_CHECK,
                Litmus.of(ChoicePointPrograms::bothKeysWrong, "REM_ACCESS_ERR").andWithThePoint("LOC_PROT_ERR"));
        PROGRAMS.put(
                ChoicePoint.EARLY_LOCAL_INVALIDATE,
                Litmus.of(WindowLitmus::invalidationBehindASend, "SUCCESS x=1")
                        .andWithThePoint("REM_ACCESS_ERR x=0")
                        .besides(ChoicePoint.ARRIVAL));
        PROGRAMS.put(
                ChoicePoint.REFUSED_RECEIVE_KEPT,
                Litmus.of(ChoicePointPrograms::refusedImmediate, "LOC_ACCESS_ERR")
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
                Litmus.of(ChoicePointPrograms::timeOfTheSecondTry, "after 1 times its timer")
                        .andWithThePoint(
                                "after 2 times its timer", "after 3 times its timer", "after 4 times its timer"));
        PROGRAMS.put(
                ChoicePoint.ACK_TIMER_SLOP,
                Litmus.of(ChoicePointPrograms::timeOfTheEnd, "after 4 times its timeout")
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
        Litmus resent =
                Litmus.of(ChoicePointPrograms::sourceChangedAfterPosting, "x=1").andWithThePoint("x=2");
        PROGRAMS.put(ChoicePoint.LINK_DROP, resent);
        PROGRAMS.put(ChoicePoint.LINK_CORRUPT, resent);
        PROGRAMS.put(ChoicePoint.LINK_CUT, resent);
        PROGRAMS.put(ChoicePoint.LINK_DELAY, resent);
        PROGRAMS.put(
                ChoicePoint.FAULT_LENGTH,
                Litmus.of(ChoicePointPrograms::timeOfAWrite, "after 0 us", "after 2 us")
                        .andWithThePoint("after 4 us", "after 6 us", "after 8 us")
                        .besides(ChoicePoint.LINK_DELAY));
        PROGRAMS.put(
                ChoicePoint.LINK_DUPLICATE,
                Litmus.of(ChoicePointPrograms::packetsOfAnAtomic, "x=1 packets=2")
                        .andWithThePoint("x=1 packets=3"));
        PROGRAMS.put(
                ChoicePoint.LINK_REORDER,
                Litmus.of(ChoicePointPrograms::packetsOfOneWrite, "x=1")
                        .andWithThePoint("x=2")
                        .besides(ChoicePoint.ARRIVAL));
        Litmus unknown = Litmus.of(ChoicePointPrograms::unknownOutcome, "SUCCESS x=1")
                .andWithThePoint("RETRY_EXC_ERR x=0", "RETRY_EXC_ERR x=1");
        PROGRAMS.put(ChoicePoint.DEVICE_SILENCE, unknown);
        PROGRAMS.put(
                ChoicePoint.DEVICE_CRASH,
                Litmus.of(ChoicePointPrograms::outcomeOfACrash, "SUCCESS x=1").andWithThePoint("RETRY_EXC_ERR x=1"));
    }

    static {
        PROGRAMS.put(
                ChoicePoint.OBSERVE,
                Litmus.of(VisibilityLitmus::loadOfARunningKernel, "x=1").andWithThePoint("x=0"));
        PROGRAMS.put(
                ChoicePoint.WRITEBACK,
                Litmus.of(VisibilityLitmus::sourceThatWasNotReleased, "x=1").andWithThePoint("x=0"));
        PROGRAMS.put(
                ChoicePoint.DURABLE,
                Litmus.of(VisibilityLitmus::storeBeforeThePowerFails, "x=1").andWithThePoint("x=0"));
    }

    /** Left writes x; right loads it at any time. */
    static String loadBesideAWrite(LitmusPair pair) {
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
    static String sourceChangedAfterPosting(LitmusPair pair) {
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            node.store(pair.mine(), 0, 2);
            pair.sent();
        });
        return pair.run() + "x=" + pair.theirs().buffer().getLong(0);
    }

    static String writeBehindARead(LitmusPair pair) {
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
    static String errorBehindAWrite(LitmusPair pair) {
        WorkCompletion[] done = new WorkCompletion[1];
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.left.qp.modify(new QpAttributes().state(QpState.ERR));
            done[0] = pair.sent();
        });
        return pair.run() + done[0].status() + " x=" + pair.theirs().buffer().getLong(0);
    }

    static String sendOfWhatIsRead(LitmusPair pair) {
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
    static String pollOfALaterWrite(LitmusPair pair) {
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
    static String pollOfTheLastWord(LitmusPair pair) {
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

    static String twoQueuePairsOneCompletionQueue(LitmusPair pair) {
        long[] first = new long[1];
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.second.postSend(pair.write(2, 0, 8));
            first[0] = pair.sent().id();
            pair.sent();
        });
        return pair.run() + "first=" + first[0];
    }

    static String bothKeysWrong(LitmusPair pair) {
        WorkCompletion[] done = new WorkCompletion[1];
        pair.simulation.node("left", node -> {
            Sge nowhere = new Sge(pair.left.address(0), 8, 0xbad00);
            pair.left.qp.postSend(SendWorkRequest.read(1, pair.right.address(0), 0xbad00, nowhere));
            done[0] = pair.sent();
        });
        return pair.run() + done[0].status();
    }

    static String refusedImmediate(LitmusPair pair) {
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
    static String timeOfTheSecondTry(LitmusPair pair) {
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
    static String timeOfTheEnd(LitmusPair pair) {
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
    static String timeOfAWrite(LitmusPair pair) {
        long[] nanos = new long[1];
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(pair.write(1, 0, 8));
            pair.sent();
            nanos[0] = pair.simulation.fabric().clock().nanoTime();
        });
        return pair.run() + "after " + nanos[0] / 1_000 + " us";
    }

    static String packetsOfAnAtomic(LitmusPair pair) {
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
    static String packetsOfOneWrite(LitmusPair pair) {
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 2 * MTU_BYTES));
            node.store(pair.mine(), 0, 2);
            pair.sent();
        });
        return pair.run() + "x=" + pair.theirs().buffer().getLong(0);
    }

    static String unknownOutcome(LitmusPair pair) {
        WorkCompletion[] done = new WorkCompletion[1];
        pair.simulation.node("left", node -> {
            node.store(pair.mine(), 0, 1);
            pair.left.qp.postSend(pair.write(1, 0, 8));
            done[0] = pair.sent();
        });
        return pair.run() + done[0].status() + " x=" + pair.theirs().buffer().getLong(0);
    }

    /** The same, but that the one who asks does not crash: nobody would be there to tell. */
    static String outcomeOfACrash(LitmusPair pair) {
        FaultPolicy chance = pair.simulation.fabric().faults();
        pair.simulation
                .fabric()
                .decideBy((from, to, packet) ->
                        from.equals(pair.left.device.gid()) ? Fate.DELIVER : chance.decide(from, to, packet));
        return unknownOutcome(pair);
    }

    static Iterable<String> outcomes(OpenChoices openChoices, ChoicePoint point, Litmus litmus) {
        LinkFaults faults = LinkFaults.NONE
                .delaying(0, point == ChoicePoint.FAULT_LENGTH ? SHORT_NANOS : LONG_NANOS)
                .cutting(0, LONG_NANOS);
        for (ChoicePoint fault : openChoices.with(point).points()) {
            if (fault.kind() == ChoicePoint.Kind.FAULT) {
                faults = faults.with(fault, 500);
            }
        }
        SimulationOptions options = SimulationOptions.TIMELESS.withFaults(faults);
        Explored explored = new Exploration(openChoices).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, options).tap(RuleCoverage::observe)) {
                return litmus.program().apply(new LitmusPair(simulation));
            }
        });
        assertThat(explored.isComplete()).isTrue();
        return explored.outcomes().keySet();
    }
}
