// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams, on every fabric. */
@OnEveryFabric
class DatagramContractTest {

    private static final int HALF = Side.REGION_BYTES / 2;
    private static final int KEY = 0x1234;
    private static final int MTU = 4096;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    private Side left;
    private Side right;
    private QueuePair sender;
    private QueuePair receiver;

    @BeforeEach
    void open() {
        pair = fabric.open(QpCapabilities.USUAL);
        left = pair.left;
        right = pair.right;
        sender = queuePair(left);
        receiver = queuePair(right);
        new UdReadiness(KEY).toRts(sender, receiver);
        left.bytes().put(0, Packets.pattern(0, Side.REGION_BYTES));
    }

    private static QueuePair queuePair(Side side) {
        return side.pd.createQp(QpInitAttributes.ud(side.sendCq, side.recvCq, QpCapabilities.USUAL));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 1025, MTU})
    @Rule({"UD-01", "TV-13", "WC-02"})
    void datagramLiesBehindItsGrhAndCanBeAnswered(int count) {
        AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, HALF)));
        sender.postRecv(ReceiveWorkRequest.of(12, left.sge(HALF, HALF)));
        sender.postSend(
                SendWorkRequest.sendWithImmediate(1, 77, left.sge(0, count)).to(there, receiver.number(), KEY));
        assertThat(left.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.SEND);
        WorkCompletion received = right.received();
        assertThat(received)
                .isSuccess()
                .hasId(11)
                .hasOpcode(WcOpcode.RECV)
                .hasByteLength(Grh.BYTES + count)
                .hasFlags(WcFlags.GRH | WcFlags.WITH_IMM);
        assertThat(received.sourceQp()).isEqualTo(sender.number());
        assertThat(received.pkeyIndex()).isZero();
        assertThat(received.immediate()).isEqualTo(77);
        byte[] bytes = new byte[count];
        right.bytes().get(Grh.BYTES, bytes);
        assertThat(bytes).isEqualTo(Packets.pattern(0, count));
        Grh grh = Grh.parse(right.bytes(), 0);
        assertThat(grh.source()).isEqualTo(left.device.gid());
        assertThat(grh.destination()).isEqualTo(right.device.gid());
        asserted();

        there.close();

        try (AddressHandle back = right.pd.createAddressHandle(received, grh, 1)) {
            receiver.postSend(SendWorkRequest.send(2, right.sge(0, 8)).to(back, received.sourceQp(), KEY));
            assertThat(right.sent()).isSuccess().hasId(2);
            assertThat(left.received()).isSuccess().hasId(12).hasByteLength(Grh.BYTES + 8);
        }
    }

    /** As {@code ibv_create_ah_from_wc} makes the handle: the answer has traffic class and flow label of what it answers. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"UD-01", "SRQ-02"})
    void whatTheHandleSaysOfTheWayArrivesAndComesBackWithTheAnswer(boolean shared) {
        assumeThat(fabric.showsGrh()).isTrue();
        QueuePair taker = receiver;
        if (shared) {
            SharedReceiveQueue srq = right.pd.createSrq(SrqInitAttributes.basic(8));
            taker = right.pd.createQp(QpInitAttributes.ud(right.sendCq, right.recvCq, QpCapabilities.USUAL)
                    .withSrq(srq));
            new UdReadiness(KEY).toRts(taker);
            srq.postRecv(ReceiveWorkRequest.of(11, right.sge(0, HALF)));
            srq.postRecv(ReceiveWorkRequest.of(12, right.sge(HALF, HALF)));
        } else {
            taker.postRecv(ReceiveWorkRequest.of(11, right.sge(0, HALF)));
            taker.postRecv(ReceiveWorkRequest.of(12, right.sge(HALF, HALF)));
        }
        sender.postRecv(ReceiveWorkRequest.of(13, left.sge(HALF, HALF)));
        AddressHandle there =
                left.pd.createAddressHandle(AddressVector.to(right.device.gid()).withGrh(0xa5, 0xf_1234, 7));
        AddressHandle usual = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));

        sender.postSend(
                SendWorkRequest.sendWithImmediate(1, 77, left.sge(0, 1000)).to(there, taker.number(), KEY));
        WorkCompletion received = right.received();
        assertThat(received).isSuccess().hasId(11).hasFlags(WcFlags.GRH | WcFlags.WITH_IMM);
        Grh grh = Grh.parse(right.bytes(), 0);
        assertThat(grh)
                .isEqualTo(new Grh(
                        0xa5,
                        0xf_1234,
                        12 + 8 + 4 + 1000 + 4,
                        Grh.IBA_TRANSPORT,
                        7,
                        left.device.gid(),
                        right.device.gid()));
        sender.postSend(SendWorkRequest.send(2, left.sge(0, 8)).to(usual, taker.number(), KEY));
        assertThat(right.received()).isSuccess().hasId(12);
        Grh plain = Grh.parse(right.bytes(), HALF);
        assertThat(List.of(plain.trafficClass(), plain.flowLabel(), plain.hopLimit()))
                .containsExactly(0, 0, 64);

        try (AddressHandle back = right.pd.createAddressHandle(received, grh, 1)) {
            taker.postSend(SendWorkRequest.send(3, right.sge(0, 8)).to(back, received.sourceQp(), KEY));
            assertThat(left.received()).isSuccess().hasId(13);
            Grh answered = Grh.parse(left.bytes(), HALF);
            assertThat(List.of(answered.trafficClass(), answered.flowLabel(), answered.hopLimit()))
                    .containsExactly(0xa5, 0xf_1234, 255);
        }
    }

    @Test
    @Rule({"UD-01", "WC-50", "WC-47"})
    void datagramThatIsNotWantedIsDroppedAndItsSenderIsNotTold() {
        AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        AddressHandle nowhere = left.pd.createAddressHandle(AddressVector.to(Gid.ofGuid(0x7777)));
        RcConnection.USUAL.join(left.qp, right.qp);
        right.qp.postRecv(ReceiveWorkRequest.of(21, right.sge(HALF, 100)));
        SendWorkRequest request = SendWorkRequest.send(1, left.sge(0, 16));
        // No receive yet.
        sender.postSend(request.to(there, receiver.number(), KEY));
        assertThat(left.sent()).isSuccess();
        barrier();
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, Grh.BYTES + 16)));
        for (SendWorkRequest unwanted : new SendWorkRequest[] {
            request.to(there, receiver.number(), KEY + 1),
            request.to(there, 0xfffffe, KEY),
            request.to(nowhere, receiver.number(), KEY),
            SendWorkRequest.send(1, left.sge(0, 17)).to(there, receiver.number(), KEY),
            // To a queue pair of another type.
            request.to(there, right.qp.number(), KEY),
        }) {
            sender.postSend(unwanted);
            assertThat(left.sent()).isSuccess().hasId(1);
        }
        assertThat(right.recvCq.poll(1)).isEmpty();
        assertState(right.qp, QpState.RTS);
        sender.postSend(SendWorkRequest.send(2, left.sge(32, 16)).to(there, receiver.number(), KEY));
        assertThat(right.received()).isSuccess().hasId(11).hasByteLength(Grh.BYTES + 16);
        byte[] bytes = new byte[16];
        right.bytes().get(Grh.BYTES, bytes);
        assertThat(bytes).isEqualTo(Packets.pattern(32, 16));
        assertState(receiver, QpState.RTS);
        assertState(sender, QpState.RTS);
        assertThat(right.device.droppedPackets())
                .as("why, on the side where that was")
                .extracting(dropped -> dropped.reason().ownSentence())
                .anyMatch(text -> text.startsWith("no receive is posted at qp " + receiver.number()))
                .contains("Q_Key 0x00001235 is not the 0x00001234 of qp " + receiver.number() + "; send with that one")
                .contains("no queue pair has number 0xfffffe")
                .anyMatch(text ->
                        text.contains("57 bytes, 40 of them for the GRH, do not fit the receive wr_id=11 of 56"))
                .anyMatch(text -> text.contains("is not of the transport of"));
        assertThat(left.device.droppedPackets())
                .singleElement()
                .satisfies(lost -> assertThat(lost.isOwn()).isTrue())
                .satisfies(lost -> assertThat(lost.qpNumber()).isEqualTo(sender.number()))
                .satisfies(lost -> assertThat(lost.reason().rule()).isEqualTo("QP-29"));
    }

    @Test
    @Rule({"UD-01", "QP-29", "AE-11"})
    void datagramsOfAPortThatIsDownAreCountedWithTheirReason() {
        AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        left.device.inject(EventType.PORT_ERR);
        for (int i = 0; i < 3; i++) {
            sender.postSend(SendWorkRequest.send(i, left.sge(0, 8)).to(there, receiver.number(), KEY));
            assertThat(left.sent()).isSuccess().hasId(i);
        }
        assertThat(left.device.droppedPackets()).singleElement().satisfies(lost -> {
            assertThat(lost.count()).isEqualTo(3);
            assertThat(lost.toString()).contains("3 packets from qp " + sender.number(), "is down [QP-29]");
        });
    }

    /** What was sent to the right side before has come: datagrams and this WRITE go the same way. */
    private void barrier() {
        left.qp.postSend(SendWorkRequest.write(99, right.address(HALF), right.rkey()));
        assertThat(left.sent()).isSuccess().hasId(99);
    }

    @Test
    @Rule({"UD-01", "WC-36"})
    void reliableRequestToADatagramQueuePairIsNeverAnswered() {
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, 1000)));
        RcConnection connection = RcConnection.USUAL.withRetries(6, 1, 7, 12);
        connection.readyToReceive(left.qp, new RcConnection.Endpoint(right.device.gid(), receiver.number(), 0));
        connection.readyToSend(left.qp, 0);
        left.qp.postSend(SendWorkRequest.send(1, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(1);
        assertThat(right.recvCq.poll(1)).isEmpty();
        assertState(receiver, QpState.RTS);
    }

    @Test
    @Rule({"WR-40", "WR-41", "WC-31", "WC-32", "QS-06"})
    void datagramThatCannotBeSentTakesTheSenderToSqe() {
        AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        AddressHandle foreign = left.device.allocatePd().createAddressHandle(AddressVector.to(right.device.gid()));
        QpAttributes toRts = new QpAttributes().state(QpState.RTS);
        sender.postSend(SendWorkRequest.send(1, left.sge(0, MTU + 1)).to(there, receiver.number(), KEY));
        assertThat(left.sent()).hasStatus(WcStatus.LOC_LEN_ERR).hasId(1);
        assertState(sender, QpState.SQE);
        sender.modify(toRts);
        sender.postSend(SendWorkRequest.send(2).to(foreign, receiver.number(), KEY));
        assertThat(left.sent()).hasStatus(WcStatus.LOC_QP_OP_ERR).hasId(2);
        assertState(sender, QpState.SQE);
        sender.postSend(SendWorkRequest.send(3).to(there, receiver.number(), KEY));
        assertThat(left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        sender.modify(toRts);
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, HALF)));
        sender.postSend(SendWorkRequest.send(4).to(there, receiver.number(), KEY));
        assertThat(left.sent()).isSuccess().hasId(4);
        assertThat(right.received()).isSuccess().hasId(11).hasByteLength(Grh.BYTES);
    }

    @Test
    @Rule({"UD-01", "SRQ-02", "SRQ-03"})
    void datagramsOfAllTakeReceivesFromASharedQueueAndAreLostWithoutOne() {
        SharedReceiveQueue srq = right.pd.createSrq(SrqInitAttributes.basic(8));
        QueuePair[] sharing = new QueuePair[2];
        for (int i = 0; i < 2; i++) {
            sharing[i] = right.pd.createQp(QpInitAttributes.ud(right.sendCq, right.recvCq, QpCapabilities.USUAL)
                    .withSrq(srq));
        }
        new UdReadiness(KEY).toRts(sharing);
        AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        srq.postRecv(ReceiveWorkRequest.of(11, right.sge(0, 100)));
        srq.postRecv(ReceiveWorkRequest.of(12, right.sge(0, 100)));
        for (int i = 0; i < 3; i++) {
            sender.postSend(SendWorkRequest.send(i, left.sge(0, i)).to(there, sharing[i % 2].number(), KEY));
            assertThat(left.sent()).isSuccess().hasId(i);
        }
        for (int i = 0; i < 2; i++) {
            WorkCompletion received = right.received();
            assertThat(received).isSuccess().hasId(11 + i).hasByteLength(Grh.BYTES + i);
            assertThat(received.qpNumber()).isEqualTo(sharing[i].number());
        }
        RcConnection.USUAL.join(left.qp, right.qp);
        barrier();
        srq.postRecv(ReceiveWorkRequest.of(13, right.sge(0, 100)));
        sender.postSend(SendWorkRequest.send(9, left.sge(0, 9)).to(there, sharing[0].number(), KEY));
        assertThat(right.received()).isSuccess().hasId(13).hasByteLength(Grh.BYTES + 9);
    }
}
