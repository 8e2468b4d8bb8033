// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RESET, destruction, and life after them: QP-05, QP-06, QP-07, QP-24. */
class QpResetTest {

    private static final int PSN = 100;
    private static final RcConnection.Endpoint PEER = new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, PSN);
    private static final QpAttributes TO_RESET = new QpAttributes().state(QpState.RESET);

    private static SendWorkRequest write(Side side, long id) {
        return SendWorkRequest.write(id, 0x1000, 7, side.sge(0, 8));
    }

    @Test
    @Rule("QP-24")
    void resetEmptiesTheQueuesWithoutCompletionsAndTakesBackThoseNotPolled() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            QueuePair neighbour = side.newQueuePair();
            neighbour.modify(new QpAttributes().state(QpState.ERR));
            side.qp.postRecv(ReceiveWorkRequest.of(11, side.sge(0, 8)));
            for (int id = 1; id <= 4; id++) {
                side.qp.postSend(write(side, id));
                neighbour.postSend(write(side, 10 + id));
                dialogue.take();
                dialogue.sends(Packets.ack(PSN + Math.min(id, 2) - 1));
            }
            assertThat(dialogue.tap.events(TraceEvent.Completed.class))
                    .extracting(TraceEvent.Completed::workRequestId)
                    .containsExactly(11L, 1L, 12L, 2L, 13L, 14L);

            side.qp.modify(TO_RESET);
            assertState(side.qp, QpState.RESET);
            for (int id = 11; id <= 14; id++) {
                assertThat(side.sent()).hasId(id).hasStatus(WcStatus.WR_FLUSH_ERR);
            }
            assertThat(side.sendCq.poll(9)).isEmpty();
            assertThat(side.recvCq.poll(9)).isEmpty();
            assertThat(side.qp.query().addressVector()).isNull();
            assertThat(side.qp.query().sqPsn()).isZero();
            assertThat(side.qp.query().accessFlags()).isZero();
        }
    }

    @Test
    @Rule("QP-24")
    void queuePairServesAgainAfterResetWithAllItsCapacity() {
        try (RcPair pair = RcPair.inProcess()) {
            QueuePair qp = pair.left.qp;
            int most = QpCapabilities.USUAL.maxSendWr();
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < most; i++) {
                    qp.postSend(
                            SendWorkRequest.write(i, pair.right.address(8 * i), pair.right.rkey(), pair.left.sge(0, 8))
                                    .unsignaled());
                    qp.postRecv(ReceiveWorkRequest.of(i));
                }
                assertThat(pair.right.bytes().getLong(8 * (most - 1))).isEqualTo(round);
                assertRefusedFull(qp, pair.left);
                qp.modify(TO_RESET);
                pair.right.qp.modify(TO_RESET);
                RcConnection.USUAL.readyToReceive(qp, RcConnection.Endpoint.of(pair.right.qp, 500 + round));
                RcConnection.USUAL.readyToReceive(pair.right.qp, RcConnection.Endpoint.of(qp, 600 + round));
                RcConnection.USUAL.readyToSend(qp, 600 + round);
                pair.left.bytes().putLong(0, round + 1);
            }
            qp.postSend(SendWorkRequest.write(77, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
            assertThat(pair.left.sent()).isSuccess().hasId(77);
            assertThat(pair.left.sendCq.poll(9)).isEmpty();
            assertState(qp, QpState.RTS);
        }
    }

    /** The request behind the window was judged and never sent; its slot has another request when the queue pair lives again. */
    @Test
    @Rule({"QP-24", "MR-40"})
    void regionOfARequestThatWasNotSentIsNotReadForAnotherInItsSlot() {
        int posted = DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS + 1;
        try (RcPair pair = RcPair.inProcess(new QpCapabilities(posted, 1, 2, 2, 0))) {
            QueuePair qp = pair.left.qp;
            MemoryRegion before = zeroBased(pair.left, 1);
            MemoryRegion now = zeroBased(pair.left, 2);
            RcPair.WITHOUT_TIMER.readyToReceive(qp, RcConnection.Endpoint.of(pair.right.qp, PSN));
            RcPair.WITHOUT_TIMER.readyToSend(qp, PSN);
            write(pair, posted, before.sge(0, 8));
            qp.modify(TO_RESET);
            pair.connect(RcPair.WITHOUT_TIMER);
            write(pair, posted, now.sge(0, 8), now.sge(8, 8));
            assertThat(pair.right.bytes().getLong(8 * (posted - 1))).isEqualTo(2);
        }
    }

    private static MemoryRegion zeroBased(Side side, long pattern) {
        Memory memory = Memory.allocate(16);
        memory.buffer().putLong(0, pattern);
        return side.pd.register(memory, AccessFlags.ZERO_BASED);
    }

    private static void write(RcPair pair, int count, Sge... elements) {
        for (int i = 0; i < count; i++) {
            pair.left.qp.postSend(SendWorkRequest.write(i, pair.right.address(8 * i), pair.right.rkey(), elements)
                    .unsignaled());
        }
    }

    private static void assertRefusedFull(QueuePair qp, Side side) {
        assertThat(Assertions.catchThrowableOfType(VerbsException.class, () -> qp.postSend(write(side, 1)))
                        .errno())
                .isEqualTo(Errno.ENOMEM);
    }

    @Test
    @Rule("QP-24")
    void packetsOfTheFormerLifeFindNothingToAcknowledgeOrAnswer() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            Packet add = Packets.fetchAdd(PSN, side.address(0), side.rkey(), 1);
            side.bytes().putLong(0, 0);
            side.qp.postSend(List.of(write(side, 1), write(side, 2)));
            assertThat(dialogue.takeAll()).hasSize(2);
            dialogue.sends(add).expects(Packets.atomicResponse(PSN, 0));

            side.qp.modify(TO_RESET);
            Dialogue.USUAL.readyToReceive(side.qp, PEER);
            Dialogue.USUAL.readyToSend(side.qp, 0x400);
            dialogue.sends(Packets.ack(PSN + 1));
            side.qp.postSend(write(side, 3));
            assertThat(dialogue.take().psn()).isEqualTo(0x400);
            assertThat(side.sendCq.poll(9)).isEmpty();
            dialogue.sends(Packets.ack(0x400));
            assertThat(side.sent()).isSuccess().hasId(3);

            // The atomic of the former life is not remembered: the same packet is a new request now.
            assertThat(side.bytes().getLong(0)).isEqualTo(1);
            dialogue.sends(add).expects(Packets.atomicResponse(PSN, 1));
            assertThat(side.bytes().getLong(0)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    @Rule({"QP-05", "QP-06"})
    void queuePairCanBeQueriedAndDestroyedInEveryStateButOnlyOnce(QpState state) {
        try (Dialogue dialogue = Dialogue.unconnected(DeviceProfile.STRICT_IBTA)) {
            QueuePair qp = dialogue.side.qp;
            if (state == QpState.INIT) {
                qp.modify(new QpAttributes()
                        .state(state)
                        .portNumber(1)
                        .pkeyIndex(0)
                        .accessFlags(5));
            } else if (state != QpState.RESET) {
                Dialogue.USUAL.readyToReceive(qp, PEER);
            }
            if (state == QpState.RTS || state == QpState.SQD || state == QpState.ERR) {
                Dialogue.USUAL.readyToSend(qp, 9);
            }
            if (state == QpState.SQD || state == QpState.ERR) {
                qp.modify(new QpAttributes().state(state));
            }

            assertThat(qp.query().state()).isEqualTo(state);
            assertThat(qp.query().currentState()).isEqualTo(state);
            assertThat(qp.query().draining()).isFalse();
            assertThat(qp.initAttributes().capabilities()).isEqualTo(QpCapabilities.USUAL);

            qp.close();
            assertRefused(Errno.ENOENT, "QP-05", qp::query);
            assertRefused(Errno.ENOENT, "QP-05", qp::close);
            assertRefused(Errno.ENOENT, "QP-05", () -> qp.modify(TO_RESET));
            assertRefused(Errno.ENOENT, "QP-05", () -> qp.postSend(write(dialogue.side, 1)));
            assertRefused(Errno.ENOENT, "QP-05", () -> qp.postRecv(ReceiveWorkRequest.of(1)));
            dialogue.side.sendCq.close();
            dialogue.side.recvCq.close();
        }
    }

    @Test
    @Rule("QP-06")
    void destructionDropsWhatIsOutstandingAndTakesBackItsCompletions() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            QueuePair neighbour = side.newQueuePair();
            side.qp.postRecv(ReceiveWorkRequest.of(11, side.sge(0, 8)));
            side.qp.postSend(List.of(write(side, 1), write(side, 2), write(side, 3)));
            assertThat(dialogue.takeAll()).hasSize(3);
            dialogue.sends(Packets.ack(PSN));
            assertThat(dialogue.tap.events(TraceEvent.Completed.class)).hasSize(1);
            neighbour.modify(new QpAttributes().state(QpState.ERR));
            neighbour.postSend(write(side, 4));

            side.qp.close();
            assertThat(side.sent()).hasId(4).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(side.sendCq.poll(9)).isEmpty();
            assertThat(side.recvCq.poll(9)).isEmpty();
        }
    }

    @Test
    @Rule("QP-06")
    void destructionWaitsForTheAcknowledgementOfItsEvents() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            for (int i = 0; i < 2; i++) {
                side.qp.modify(new QpAttributes().state(QpState.SQD).notifyDrained(true));
                side.qp.modify(new QpAttributes().state(QpState.RTS));
            }
            AsyncEvent taken = Objects.requireNonNull(side.device.pollAsyncEvent());
            assertRefused(Errno.EBUSY, "QP-06", side.qp::close, "1 unacknowledged");
            assertState(side.qp, QpState.RTS);
            assertEvent(taken, EventType.SQ_DRAINED, side.qp);

            // The second event was not taken: it goes with the queue dialogue.
            side.qp.close();
            assertThat(side.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule("QP-07")
    void peerThatStillSendsToADestroyedQueuePairEndsWithRetriesExceeded() {
        try (RcPair pair = RcPair.inProcess(QpCapabilities.USUAL)) {
            pair.connect(RcConnection.USUAL.withRetries(8, 1, 7, 1));
            for (int id = 0; id < 8; id++) {
                if (id == 4) {
                    pair.right.qp.close();
                }
                pair.left.qp.postSend(
                        SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
            }
            for (int id = 0; id < 4; id++) {
                assertThat(pair.left.sent()).hasId(id).isSuccess();
            }
            assertThat(pair.left.sent()).hasId(4).hasStatus(WcStatus.RETRY_EXC_ERR);
            for (int id = 5; id < 8; id++) {
                assertThat(pair.left.sent()).hasId(id).hasStatus(WcStatus.WR_FLUSH_ERR);
            }
        }
    }
}
