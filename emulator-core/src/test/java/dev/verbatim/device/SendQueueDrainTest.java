// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.ManualFabric;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQD: the send queue drains, is changed, and goes on (QP-26, QS-09, T-14, TR-12). */
class SendQueueDrainTest {

    private static final QpAttributes TO_RTS = new QpAttributes().state(QpState.RTS);
    private static final QpAttributes TO_SQD = new QpAttributes().state(QpState.SQD);
    private static final QpAttributes TO_SQD_WITH_EVENT =
            new QpAttributes().state(QpState.SQD).notifyDrained(true);

    private static final int PSN = 100;

    /** Timeout code 8. */
    private static final long ACK_TIMEOUT_NANOS = 1_048_576;

    private static SendWorkRequest write(Side side, long id) {
        return SendWorkRequest.write(id, 0x1000, 7, side.sge(0, 8));
    }

    private static SendWorkRequest read(Side side, long id) {
        return SendWorkRequest.read(id, 0x1000, 7, side.sge(0, 8));
    }

    @Test
    @Rule({"QP-26", "AE-06"})
    void idleQueueIsDrainedAtOnceAndSaysSoOnce() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            QueuePair qp = dialogue.side.qp;
            qp.modify(TO_SQD_WITH_EVENT);
            assertState(qp, QpState.SQD);
            assertThat(qp.query().draining()).isFalse();
            assertEvent(dialogue.side.device.pollAsyncEvent(), EventType.SQ_DRAINED, qp);
            assertThat(dialogue.side.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule("QP-26")
    void drainThatNobodyAskedToHearOfRaisesNoEvent() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            QueuePair qp = dialogue.side.qp;
            qp.modify(TO_SQD_WITH_EVENT);
            assertEvent(dialogue.side.device.pollAsyncEvent(), EventType.SQ_DRAINED, qp);
            qp.modify(TO_RTS);
            qp.modify(TO_SQD);
            assertState(qp, QpState.SQD);
            qp.modify(TO_RTS);
            qp.modify(new QpAttributes().state(QpState.SQD).notifyDrained(false));
            assertThat(dialogue.side.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule({"TR-12", "QP-26", "QS-09"})
    void unacknowledgedWriteFinishesAndLaterOnesWaitForTheReturn() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.postSend(write(side, 1));
            assertThat(dialogue.take().psn()).isEqualTo(PSN);

            side.qp.modify(TO_SQD_WITH_EVENT);
            assertThat(side.qp.query().draining()).isTrue();
            side.qp.postSend(List.of(write(side, 2), write(side, 3)));
            assertThat(dialogue.takeAll()).isEmpty();
            assertThat(side.device.pollAsyncEvent()).isNull();

            dialogue.sends(Packets.ack(PSN));
            assertThat(side.sent()).hasId(1).isSuccess();
            assertEvent(side.device.pollAsyncEvent(), EventType.SQ_DRAINED, side.qp);
            assertThat(side.qp.query().draining()).isFalse();
            assertThat(dialogue.takeAll()).isEmpty();

            side.qp.modify(TO_RTS);
            assertThat(dialogue.takeAll()).extracting(PacketRecord::psn).containsExactly(PSN + 1, PSN + 2);
            dialogue.sends(Packets.ack(PSN + 2));
            assertThat(side.sent()).hasId(2).isSuccess();
            assertThat(side.sent()).hasId(3).isSuccess();
            assertThat(side.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule({"QP-26", "T-14"})
    void unansweredReadFinishesAndTheOneBehindItWaits() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL.withDepth(1), PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.postSend(List.of(read(side, 1), read(side, 2), write(side, 3)));
            assertThat(dialogue.takeAll()).hasSize(1);

            side.qp.modify(TO_SQD_WITH_EVENT);
            assertThat(side.qp.query().draining()).isTrue();
            dialogue.sends(Packets.readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, PSN, new byte[8]));
            assertThat(side.sent()).hasId(1).isSuccess();
            assertEvent(side.device.pollAsyncEvent(), EventType.SQ_DRAINED, side.qp);
            assertThat(dialogue.takeAll()).isEmpty();

            side.qp.modify(TO_RTS);
            assertThat(dialogue.takeAll())
                    .extracting(PacketRecord::opcode)
                    .containsExactly(Opcode.RDMA_READ_REQUEST, Opcode.RDMA_WRITE_ONLY);
        }
    }

    @Test
    @Rule("QP-26")
    void messageOfWhichAPartIsSentIsSentToItsEnd() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL.withPathMtu(PathMtu.MTU_256), PSN, PSN)) {
            Side side = dialogue.side;
            int packets = 3 * DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS;
            MemoryRegion large = side.pd.register(Memory.allocate(packets * 256), Side.ALL_RIGHTS);
            side.qp.postSend(List.of(SendWorkRequest.write(1, 0x1000, 7, large.sge()), write(side, 2)));
            int heard = dialogue.takeAll().size();
            assertThat(heard).isLessThan(packets);

            side.qp.modify(TO_SQD_WITH_EVENT);
            while (heard < packets) {
                assertThat(side.qp.query().draining()).isTrue();
                dialogue.sends(Packets.ack(PSN + heard - 1));
                int more = dialogue.takeAll().size();
                assertThat(more).isPositive();
                heard += more;
            }
            assertThat(heard).isEqualTo(packets);
            dialogue.sends(Packets.ack(PSN + packets - 1));
            assertThat(side.sent()).hasId(1).isSuccess();
            assertEvent(side.device.pollAsyncEvent(), EventType.SQ_DRAINED, side.qp);
            assertThat(dialogue.takeAll()).isEmpty();
        }
    }

    @Test
    @Rule("QP-26")
    void errorWhileDrainingRaisesNoDrainedEvent() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.postSend(List.of(write(side, 1), write(side, 2)));
            assertThat(dialogue.takeAll()).hasSize(2);
            side.qp.modify(TO_SQD_WITH_EVENT);
            dialogue.sends(Packets.nak(PSN, Syndrome.NAK_REMOTE_ACCESS));
            assertThat(side.sent()).hasId(1).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(side.sent()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertState(side.qp, QpState.ERR);
            assertThat(side.qp.query().draining()).isFalse();
            assertThat(side.device.pollAsyncEvent()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR", "RESET"})
    @Rule("QP-26")
    void drainingQueuePairCanBeTakenToErrorAndReset(QpState to) {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.modify(TO_SQD_WITH_EVENT);
            assertEvent(side.device.pollAsyncEvent(), EventType.SQ_DRAINED, side.qp);
            side.qp.modify(TO_RTS);
            side.qp.postSend(write(side, 1));
            dialogue.take();
            side.qp.modify(TO_SQD_WITH_EVENT);
            side.qp.modify(new QpAttributes().state(to));
            assertState(side.qp, to);
            assertThat(side.qp.query().draining()).isFalse();
            assertThat(side.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule("QS-09")
    void nothingCanBeChangedBeforeTheDrainHasEnded() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.postSend(write(side, 1));
            dialogue.take();
            side.qp.modify(TO_SQD);
            QpAttributes change = new QpAttributes().timeout(9);
            assertRefused(Errno.EINVAL, "QS-09", () -> side.qp.modify(change), "draining");
            assertRefused(Errno.EINVAL, "QS-09", () -> side.qp.modify(TO_RTS), "draining");
            assertRefused(
                    Errno.EINVAL,
                    "QS-09",
                    () -> side.qp.modify(new QpAttributes().state(QpState.RTS).minRnrTimer(9)));
            assertThat(side.qp.query().timeout()).isEqualTo(Dialogue.USUAL.timeout());
            assertState(side.qp, QpState.SQD);

            dialogue.sends(Packets.ack(PSN));
            side.qp.modify(change);
            assertThat(side.qp.query().timeout()).isEqualTo(9);
            side.qp.modify(TO_RTS);
            assertRefused(Errno.EINVAL, "QS-03", () -> side.qp.modify(change));
        }
    }

    @Test
    void retriesThatWereRaisedWhileDrainedCountFromTheFirstRequestOn() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL.withRetries(8, 0, 0, 1), PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.modify(TO_SQD);
            side.qp.modify(new QpAttributes().retryCount(1).rnrRetry(1));
            side.qp.modify(TO_RTS);

            side.qp.postSend(write(side, 1));
            assertThat(dialogue.take().psn()).isEqualTo(PSN);
            dialogue.after(ACK_TIMEOUT_NANOS);
            assertThat(dialogue.take().psn()).isEqualTo(PSN);
            dialogue.completesNothing().after(ACK_TIMEOUT_NANOS);
            assertThat(side.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36", "retry_cnt=1");
        }
    }

    @Test
    void initiatorDepthThatWasRaisedWhileDrainedLetsMoreReadsStart() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL.withDepth(1), PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.modify(TO_SQD);
            side.qp.modify(new QpAttributes().maxRdAtomic(3));
            side.qp.modify(TO_RTS);
            side.qp.postSend(List.of(read(side, 1), read(side, 2), read(side, 3), read(side, 4)));
            assertThat(dialogue.takeAll()).hasSize(3);
        }
    }

    @Test
    @Rule("QP-26")
    void drainingSideGoesOnAnsweringItsPeer() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.postSend(write(side, 1));
            dialogue.take();
            side.qp.modify(TO_SQD);
            side.bytes().putLong(0, 0);
            dialogue.sends(Packets.fetchAdd(PSN, side.address(0), side.rkey(), 5))
                    .expects(Packets.atomicResponse(PSN, 0));
            assertThat(side.bytes().getLong(0)).isEqualTo(5);
            dialogue.sends(Packets.ack(PSN));
            assertThat(side.sent()).isSuccess();
        }
    }

    @Test
    void addressVectorThatWasChangedWhileDrainedLeadsToTheNewPeer() {
        Gid former = Gid.ofGuid(0xf);
        Gid next = Gid.ofGuid(0xe);
        try (ManualFabric fabric = new ManualFabric()) {
            Side side = new Side(Verbatim.over(fabric).open("side"), QpCapabilities.USUAL);
            RcConnection.USUAL.readyToReceive(side.qp, new RcConnection.Endpoint(former, 9, PSN));
            RcConnection.USUAL.readyToSend(side.qp, PSN);
            Packet write = Packets.write(Opcode.RDMA_WRITE_ONLY, PSN, side.address(0), side.rkey(), 8, new byte[8])
                    .ackRequest(true);
            fabric.deliver(former, write.destQp(side.qp.number()));
            // The acknowledgement has not been fetched yet.
            side.qp.modify(TO_SQD);
            side.qp.modify(new QpAttributes().addressVector(AddressVector.to(next)));
            side.qp.modify(TO_RTS);
            side.qp.postSend(write(side, 1));
            assertThat(fabric.take(former)).isNull();
            List<Opcode> heard = new ArrayList<>();
            for (PacketRecord p = fabric.take(next); p != null; p = fabric.take(next)) {
                heard.add(p.opcode());
            }
            assertThat(heard).contains(Opcode.RDMA_WRITE_ONLY);
        }
    }
}
