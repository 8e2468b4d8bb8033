// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.RnrTimer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Whole stories of two real devices, as section Q tells them. */
class ReferenceTraceTest {

    private final LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);

    @AutoClose
    private final RcPair pair = RcPair.over(Verbatim.over(fabric), QpCapabilities.USUAL);

    @Test
    @Rule({"TR-6", "DUP-03", "T-04"})
    void lostAnswerOfAFetchAddIsGivenAgainAndTheSumIsRight() {
        pair.connect(RcConnection.USUAL.withRetries(8, 7, 7, 12));
        AtomicInteger answers = new AtomicInteger();
        fabric.decideBy(
                (from, to, packet) -> packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE && answers.getAndIncrement() < 3
                        ? Fate.DROP
                        : Fate.DELIVER);
        pair.left.qp.postSend(
                SendWorkRequest.fetchAndAdd(1, pair.right.address(0), pair.right.rkey(), 1, pair.left.sge(0, 8)));
        pair.left.bytes().putLong(0, -1);
        assertThat(pair.left.sent()).isSuccess().hasId(1).hasByteLength(8);
        assertThat(pair.left.bytes().getLong(0)).isZero();
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(1);
        assertThat(answers).hasValue(4);
        assertThat(fabric.clock().nanoTime()).isBetween(3 * AckTimeout.nanos(8), 4 * AckTimeout.nanos(8));
    }

    @Test
    @Rule({"TR-7", "RT-03", "RT-04", "WC-22"})
    void sendWithoutAReceiveIsToldThreeTimesAndThenGivesUp() {
        pair.connect(RcConnection.USUAL.withRetries(14, 7, 2, 14));
        pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.RNR_RETRY_EXC_ERR).hasId(1);
        assertThat(pair.tap.sentBy("right"))
                .hasSize(3)
                .allMatch(sent -> sent.packet().toPacket().syndrome() == 0x2e);
        assertThat(fabric.clock().nanoTime()).isBetween(2 * RnrTimer.nanos(14), 3 * RnrTimer.nanos(14));
        assertState(pair.right.qp, QpState.RTS);
        assertState(pair.left.qp, QpState.ERR);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"TR-7", "RT-03"})
    void receiveThatIsPostedInTimeLetsTheSendSucceed() {
        pair.connect(RcConnection.USUAL.withRetries(14, 7, 2, 14));
        pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
        fabric.passNanos(RnrTimer.nanos(14) + RnrTimer.nanos(14) / 2);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(9, pair.right.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertThat(pair.right.received()).isSuccess().hasId(9);
        assertThat(pair.tap.events(TraceEvent.PacketDropped.class)).hasSize(2);
    }

    @Test
    @Rule({"TR-9", "ORD-10", "WC-46"})
    void errorInThePipelineLeavesWhatIsBeforeItDoneAndWhatIsBehindItUndone() {
        pair.connect(RcPair.WITHOUT_TIMER);
        pair.left.bytes().putLong(0, 0x11).putLong(8, 0x22).putLong(16, 0x33);
        int rkey = pair.right.rkey();
        pair.left.qp.postSend(List.of(
                SendWorkRequest.write(1, pair.right.address(0), rkey, pair.left.sge(0, 8)),
                SendWorkRequest.write(2, pair.right.address(8), rkey ^ 0x100, pair.left.sge(8, 8)),
                SendWorkRequest.write(3, pair.right.address(16), rkey, pair.left.sge(16, 8))));
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
        assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(0x11);
        assertThat(pair.right.bytes().getLong(8)).isZero();
        assertThat(pair.right.bytes().getLong(16)).isZero();
        assertEvent(pair.right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, pair.right.qp);
    }

    @Test
    @Rule({"N-05", "QP-29", "RT-02"})
    void cutLinkIsLossUntilTheRetriesAreUsedUpAndIdleQueuePairsLiveOn() {
        pair.connect(RcConnection.USUAL.withRetries(8, 3, 7, 12));
        fabric.cut(pair.left.device.gid(), pair.right.device.gid());
        fabric.passNanos(1_000_000_000);
        assertState(pair.left.qp, QpState.RTS);
        pair.left.qp.postSend(SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
        fabric.passNanos(3 * AckTimeout.nanos(8));
        fabric.heal(pair.left.device.gid(), pair.right.device.gid());
        assertThat(pair.left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36", "retry_cnt=3");
        assertState(pair.right.qp, QpState.RTS);
    }

    @Test
    @Rule({"PSN-05", "WC-36"})
    void differentStartingNumbersEndInRetryExceeded() {
        RcConnection connection = RcConnection.USUAL.withRetries(8, 2, 7, 12);
        connection.readyToReceive(pair.left.qp, RcConnection.Endpoint.of(pair.right.qp, 200));
        connection.readyToReceive(pair.right.qp, RcConnection.Endpoint.of(pair.left.qp, 100));
        connection.readyToSend(pair.left.qp, 101);
        connection.readyToSend(pair.right.qp, 199);
        pair.left.qp.postRecv(ReceiveWorkRequest.of(1));
        pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
        pair.right.qp.postSend(SendWorkRequest.send(3, pair.right.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(2);
        assertThat(pair.right.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(3);
        assertThat(pair.left.received()).hasStatus(WcStatus.WR_FLUSH_ERR);
    }
}
