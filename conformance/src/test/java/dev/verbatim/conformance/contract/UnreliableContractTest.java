// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.UcConnection;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable connections, on every fabric. */
@OnEveryFabric
class UnreliableContractTest {

    private static final int HALF = Side.REGION_BYTES / 2;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    private Side left;
    private Side right;
    private QueuePair sender;
    private QueuePair receiver;

    @BeforeEach
    void connect() {
        pair = fabric.open(QpCapabilities.USUAL);
        left = pair.left;
        right = pair.right;
        sender = queuePair(left);
        receiver = queuePair(right);
        UcConnection.connect(sender, receiver);
        left.bytes().put(0, Packets.pattern(0, Side.REGION_BYTES));
    }

    private static QueuePair queuePair(Side side) {
        return side.pd.createQp(QpInitAttributes.uc(side.sendCq, side.recvCq, QpCapabilities.USUAL));
    }

    private void assertArrived(int at, int count) {
        byte[] bytes = new byte[count];
        right.bytes().get(at, bytes);
        assertThat(bytes).isEqualTo(Packets.pattern(0, count));
        asserted();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 20_000})
    @Rule({"UC-01", "WR-30", "ORD-10", "ORD-15", "ORD-30"})
    void sendFillsAReceiveAndIsDoneWhenItIsSent(int count) {
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, HALF)));
        receiver.postRecv(ReceiveWorkRequest.of(12, right.sge(HALF, HALF)));
        sender.postSend(SendWorkRequest.send(1, left.sge(0, count)));
        sender.postSend(SendWorkRequest.sendWithImmediate(2, 0x01020304, left.sge(0, count)));
        for (int id = 1; id <= 2; id++) {
            assertThat(left.sent()).isSuccess().hasId(id).hasOpcode(WcOpcode.SEND);
        }
        assertThat(right.received()).isSuccess().hasId(11).hasByteLength(count).hasFlags(0);
        var second = right.received();
        assertThat(second).isSuccess().hasId(12).hasByteLength(count).hasFlags(WcFlags.WITH_IMM);
        assertThat(second.immediate()).isEqualTo(0x01020304);
        assertArrived(0, count);
        assertArrived(HALF, count);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 1025, 20_000})
    @Rule({"UC-01", "WR-31", "ORD-11", "ORD-31"})
    void writeIsPlacedAndOneWithImmediateTellsOfIt(int count) {
        receiver.postRecv(ReceiveWorkRequest.of(11));
        sender.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, count)));
        sender.postSend(
                SendWorkRequest.writeWithImmediate(2, right.address(HALF), right.rkey(), 7, left.sge(0, count)));
        assertThat(left.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.RDMA_WRITE);
        assertThat(left.sent()).isSuccess().hasId(2);
        assertThat(right.received())
                .isSuccess()
                .hasId(11)
                .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                .hasByteLength(count);
        assertArrived(0, count);
        assertArrived(HALF, count);
    }

    @Test
    @Rule({"UC-01", "WC-50"})
    void whatDoesNotFitIsDroppedInSilenceAndTheReceiveIsForTheNext() {
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, 4000)));
        sender.postSend(SendWorkRequest.send(1, left.sge(0, 5000)));
        sender.postSend(SendWorkRequest.send(2, left.sge(0, 3000)));
        sender.postSend(SendWorkRequest.send(3, left.sge(0, 3000)));
        for (int id = 1; id <= 3; id++) {
            assertThat(left.sent()).isSuccess().hasId(id);
        }
        assertThat(right.received()).isSuccess().hasId(11).hasByteLength(3000);
        assertState(receiver, QpState.RTS);
        assertState(sender, QpState.RTS);
    }

    @Test
    @Rule({"QS-06", "WC-05", "WC-29"})
    void whatCannotBeSentTakesTheSenderToSqeFromWhichItComesBack() {
        sender.postSend(SendWorkRequest.send(1, new Sge(0, 8, 0xbad)));
        assertThat(left.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
        assertState(sender, QpState.SQE);
        sender.postSend(SendWorkRequest.send(2, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        sender.modify(new QpAttributes().state(QpState.RTS));
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, HALF)));
        sender.postSend(SendWorkRequest.send(3, left.sge(0, 8)));
        assertThat(left.sent()).isSuccess().hasId(3);
        assertThat(right.received()).isSuccess().hasId(11);
    }

    @Test
    @Rule({"UC-01", "WC-50", "WC-25"})
    void writeWithoutTheRightIsDroppedInSilence() {
        sender.postSend(SendWorkRequest.write(1, right.address(0), 0xbad, left.sge(0, 8)));
        sender.postSend(SendWorkRequest.writeWithImmediate(2, right.address(0), 0xbad, 5, left.sge(0, 8)));
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(HALF, 8)));
        sender.postSend(SendWorkRequest.send(3, left.sge(0, 8)));
        for (int id = 1; id <= 3; id++) {
            assertThat(left.sent()).isSuccess().hasId(id);
        }
        assertThat(right.received()).isSuccess().hasId(11).hasOpcode(WcOpcode.RECV);
        assertThat(right.bytes().getLong(0)).isZero();
        assertState(receiver, QpState.RTS);

        QueuePair closed = queuePair(right);
        QueuePair asking = queuePair(left);
        UcConnection.USUAL.withAccess(0).join(asking, closed);
        closed.postRecv(ReceiveWorkRequest.of(12, right.sge(HALF, 8)));
        asking.postSend(SendWorkRequest.write(4, right.address(0), right.rkey(), left.sge(0, 8)));
        asking.postSend(SendWorkRequest.send(5, left.sge(0, 8)));
        assertThat(right.received()).isSuccess().hasId(12);
        assertThat(right.bytes().getLong(0)).isZero();
        assertState(closed, QpState.RTS);
        assertThat(right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"WC-50", "SRQ-02"})
    void dropOfAMessageThatTookASharedReceiveShowsInItsCompletion() {
        SharedReceiveQueue srq = right.pd.createSrq(SrqInitAttributes.basic(8));
        QueuePair sharing = right.pd.createQp(QpInitAttributes.uc(right.sendCq, right.recvCq, QpCapabilities.USUAL)
                .withSrq(srq));
        QueuePair asking = queuePair(left);
        UcConnection.connect(asking, sharing);
        for (int id = 11; id <= 13; id++) {
            srq.postRecv(ReceiveWorkRequest.of(id, right.sge(0, 100)));
        }
        asking.postSend(SendWorkRequest.send(1, left.sge(0, 101)));
        asking.postSend(SendWorkRequest.writeWithImmediate(2, right.address(0), 0xbad, 5, left.sge(0, 8)));
        asking.postSend(SendWorkRequest.send(3, left.sge(0, 100)));
        assertThat(right.received()).hasStatus(WcStatus.REM_INV_REQ_ERR).hasId(11);
        assertThat(right.received()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(12);
        assertThat(right.received()).isSuccess().hasId(13).hasByteLength(100);
        assertState(sharing, QpState.RTS);
    }

    /** The memory of a request may be used anew as soon as it has completed, whoever reads what was sent, and when. */
    @Test
    @Rule({"ORD-15", "UC-01"})
    void memoryOfACompletedSendIsTheProgramsAgain() {
        int messages = 64;
        int count = 8000;
        QueuePair many = queuePair(right);
        QueuePair asking = queuePair(left);
        UcConnection.USUAL.withPathMtu(PathMtu.MTU_4096).join(asking, many);
        for (int i = 0; i < messages; i++) {
            many.postRecv(ReceiveWorkRequest.of(i, right.sge(i % 8 * 8000, count)));
        }
        for (int i = 0; i < messages; i++) {
            byte[] data = new byte[count];
            Arrays.fill(data, (byte) i);
            left.bytes().put(0, data);
            asking.postSend(SendWorkRequest.send(i, left.sge(0, count)));
            assertThat(left.sent()).isSuccess().hasId(i);
            left.bytes().put(0, new byte[count]);
            if (i % 8 == 7) {
                for (int j = i - 7; j <= i; j++) {
                    assertThat(right.received()).isSuccess().hasId(j);
                    right.bytes().get(j % 8 * 8000, data);
                    byte[] expected = new byte[count];
                    Arrays.fill(expected, (byte) j);
                    assertThat(data).isEqualTo(expected);
                }
            }
        }
    }
}
