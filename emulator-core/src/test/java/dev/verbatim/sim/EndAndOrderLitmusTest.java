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
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What programs see of accesses when a region or window ends, and what order does and does not promise. */
@Rule({
    "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10", "N11", "N12", "N13", "N14", "N15", "N16", "N17", "N18",
    "ORD-02", "ORD-13", "ORD-18", "ORD-21", "ORD-22", "ORD-34", "ORD-35", "ORD-40"
})
class EndAndOrderLitmusTest extends ChoicePointPrograms {

    /** A WRITE of two packets into a region that ends: all of it, the first half, or nothing (N7). */
    @Test
    void accessUnderWayWhenARegionEndsSucceedsOrLeavesAPrefix() {
        Litmus litmus = Litmus.of(EndAndOrderLitmusTest::endOfARegion, "SUCCESS x=1 y=1")
                .andWithThePoint("REM_ACCESS_ERR x=0 y=0", "REM_ACCESS_ERR x=1 y=0")
                .besides(ChoicePoint.PROGRAM_STEP);
        OpenChoices on = litmus.besides().with(ChoicePoint.ARRIVAL);
        assertThat(outcomes(OpenChoices.NONE, ChoicePoint.ARRIVAL, litmus)).containsExactlyInAnyOrder(litmus.off());
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
            OpenChoices on = litmus.besides().with(ChoicePoint.ARRIVAL);
            assertThat(outcomes(OpenChoices.NONE, ChoicePoint.ARRIVAL, litmus)).containsExactlyInAnyOrder(litmus.off());
            assertThat(outcomes(on, ChoicePoint.ARRIVAL, litmus)).as("%s", end).containsExactlyInAnyOrder(litmus.on());
        }
        RuleCoverage.assertOutcome();
    }

    /** What the table orders is ordered whatever is placed late or fetched late; a program that polls has no such promise. */
    @Test
    @Rule({"ORD-01", "ORD-11"})
    void readSeesTheWriteBeforeItAndAWriteWinsOverTheSendBeforeIt() {
        Litmus ordered = Litmus.of(EndAndOrderLitmusTest::orderedPairs, "r=1 y=1");
        OpenChoices besides = OpenChoices.of(ChoicePoint.PLACEMENT);
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

    /** Without the flag the order of WRITEs to different bytes may be given up as well; completions and atomics keep their promises. */
    @Test
    @Rule({"MR-71", "ORD-38"})
    void relaxedOrderingGivesUpWhatProgramsSeeBeforeACompletionAndNothingElse() {
        Litmus polling = Litmus.of(pair -> relaxed(pair, false), "x=1 old=0").andWithThePoint("x=0 old=0");
        Litmus waiting = Litmus.of(pair -> relaxed(pair, true), "x=1 old=0");
        OpenChoices on = OpenChoices.of(ChoicePoint.PLACEMENT);
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

    /** The second WRITE of a word may be placed before the first, in a region with the flag (MR-71). */
    @Test
    @Rule({"MR-71", "ORD-38"})
    void relaxedOrderingGivesUpTheOrderOfWritesToTheSameBytes() {
        OpenChoices on = OpenChoices.of(ChoicePoint.PLACEMENT);
        Litmus relaxed = Litmus.of(pair -> twoWritesOfAWord(pair, AccessFlags.RELAXED_ORDERING), "x=2")
                .andWithThePoint("x=1");
        Litmus strict = Litmus.of(pair -> twoWritesOfAWord(pair, 0), "x=2");
        assertThat(outcomes(on, ChoicePoint.PLACEMENT, relaxed)).containsExactlyInAnyOrder(relaxed.on());
        assertThat(outcomes(on, ChoicePoint.PLACEMENT, strict)).containsExactlyInAnyOrder(strict.on());
        RuleCoverage.assertOutcome();
    }

    private static String twoWritesOfAWord(LitmusPair pair, int flag) {
        MemoryRegion region = pair.right.pd.register(pair.theirs(), Side.ALL_RIGHTS | flag);
        pair.mine().buffer().putLong(0, 1).putLong(8, 2);
        pair.simulation.node("left", node -> {
            for (int i = 0; i < 2; i++) {
                pair.left.qp.postSend(
                        SendWorkRequest.write(i, region.address(), region.rkey(), pair.left.sge(8 * i, Long.BYTES)));
            }
            pair.sent();
            pair.sent();
        });
        return pair.run() + "x=" + pair.theirs().buffer().getLong(0);
    }

    /** A READ returns what was written before it, also from a relaxed region, unless that is unordered (MR-71). */
    @Test
    @Rule("MR-71")
    void readMayPassAWriteInAnUnorderedRegionOnly() {
        OpenChoices on = OpenChoices.of(ChoicePoint.PLACEMENT);
        Litmus relaxed = Litmus.of(pair -> readBehindAWrite(pair, AccessFlags.RELAXED_ORDERING), "r=1");
        Litmus unordered = Litmus.of(
                        pair -> readBehindAWrite(pair, AccessFlags.RELAXED_ORDERING | AccessFlags.UNORDERED), "r=1")
                .andWithThePoint("r=0");
        assertThat(outcomes(on, ChoicePoint.PLACEMENT, relaxed)).containsExactlyInAnyOrder(relaxed.on());
        assertThat(outcomes(on, ChoicePoint.PLACEMENT, unordered)).containsExactlyInAnyOrder(unordered.on());
        assertThat(outcomes(SourceSetsTest.withAllTurns(on), ChoicePoint.PLACEMENT, unordered))
                .containsExactlyInAnyOrder(unordered.on());
        RuleCoverage.assertOutcome();
    }

    /** What a program looked at before it reset its queue pair may be older than what that shows. */
    @Test
    @Rule("N3")
    void programLooksBeforeItShowsWhatIsHeld() {
        OpenChoices on = SourceSetsTest.withAllTurns(OpenChoices.of(ChoicePoint.PLACEMENT));
        Litmus looking = Litmus.of(EndAndOrderLitmusTest::lookBeforeReset, "seen=1 x=1")
                .andWithThePoint("seen=0 x=1", "seen=0 x=0");
        assertThat(outcomes(on, ChoicePoint.PLACEMENT, looking)).containsExactlyInAnyOrder(looking.on());
        RuleCoverage.assertOutcome();
    }

    private static String lookBeforeReset(LitmusPair pair) {
        long[] seen = new long[1];
        pair.mine().buffer().putLong(0, 1);
        pair.simulation.node("left", node -> pair.left.qp.postSend(pair.write(1, 0, Long.BYTES)));
        pair.simulation.node("right", node -> {
            seen[0] = pair.theirs().buffer().getLong(0);
            pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
        });
        pair.simulation.run();
        return "seen=" + seen[0] + " x=" + pair.theirs().buffer().getLong(0);
    }

    private static String readBehindAWrite(LitmusPair pair, int flags) {
        MemoryRegion region = pair.right.pd.register(pair.theirs(), Side.ALL_RIGHTS | flags);
        pair.mine().buffer().putLong(0, 1);
        pair.simulation.node("left", node -> {
            pair.left.qp.postSend(
                    SendWorkRequest.write(1, region.address(), region.rkey(), pair.left.sge(0, Long.BYTES)));
            pair.left.qp.postSend(
                    SendWorkRequest.read(2, region.address(), region.rkey(), pair.left.sge(8, Long.BYTES)));
            pair.sent();
            pair.sent();
        });
        return pair.run() + "r=" + pair.mine().buffer().getLong(8);
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
}
