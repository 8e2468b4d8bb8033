// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Syndrome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What entering ERR, and being there, does: QP-22, QP-23, QP-29, QP-30. */
class QpErrorStateTest {

    private static final int PSN = 100;
    private static final QpAttributes TO_ERR = new QpAttributes().state(QpState.ERR);

    private static SendWorkRequest write(Side side, long id) {
        return SendWorkRequest.write(id, 0x1000, 7, side.sge(0, 8));
    }

    @Test
    @Rule("QP-22")
    void enteringErrorFlushesBothQueuesInOrderSignaledOrNot() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            for (int i = 0; i < 3; i++) {
                side.qp.postRecv(ReceiveWorkRequest.of(100 + i, side.sge(0, 8)));
            }
            side.qp.postSend(List.of(
                    write(side, 1),
                    write(side, 2).unsignaled(),
                    SendWorkRequest.read(3, 0x1000, 7, side.sge(0, 8)).unsignaled(),
                    write(side, 4)));
            assertThat(dialogue.takeAll()).hasSize(4);

            side.qp.modify(TO_ERR);
            for (int i = 0; i < 4; i++) {
                assertThat(side.sent())
                        .hasId(1 + i)
                        .hasStatus(WcStatus.WR_FLUSH_ERR)
                        .isExplainedBy("QP-22", "wr_id=" + (1 + i));
            }
            for (int i = 0; i < 3; i++) {
                assertThat(side.received())
                        .hasId(100 + i)
                        .hasStatus(WcStatus.WR_FLUSH_ERR)
                        .isExplainedBy("QP-22");
            }
            side.qp.modify(TO_ERR);
            assertThat(side.sendCq.poll(9)).isEmpty();
            assertThat(side.recvCq.poll(9)).isEmpty();
        }
    }

    @Test
    @Rule({"QP-22", "QS-06"})
    void onlyTheRequestThatFailedHasItsOwnStatus() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.postRecv(ReceiveWorkRequest.of(100, side.sge(0, 8)));
            for (int id = 1; id <= 5; id++) {
                side.qp.postSend(id % 2 == 0 ? write(side, id).unsignaled() : write(side, id));
            }
            assertThat(dialogue.takeAll()).hasSize(5);
            dialogue.sends(Packets.nak(PSN + 2, Syndrome.NAK_REMOTE_ACCESS));
            assertThat(side.sent()).hasId(1).isSuccess();
            assertThat(side.sent()).hasId(3).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(side.sent()).hasId(4).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(side.sent()).hasId(5).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(side.received()).hasId(100).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertState(side.qp, QpState.ERR);
            assertThat(side.sendCq.poll(9)).isEmpty();
        }
    }

    @Test
    @Rule("QP-22")
    void receiveThatAMessageHasPartlyFilledIsFlushedOnce() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL, PSN, PSN)) {
            Side side = dialogue.side;
            side.qp.postRecv(ReceiveWorkRequest.of(1, side.sge(0, 4096)));
            side.qp.postRecv(ReceiveWorkRequest.of(2, side.sge(0, 4096)));
            dialogue.sends(Packets.packet(Opcode.SEND_FIRST, PSN, new byte[Dialogue.MTU]));
            side.qp.modify(TO_ERR);
            assertThat(side.received()).hasId(1).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(side.received()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(side.recvCq.poll(9)).isEmpty();
        }
    }

    @Test
    @Rule("QP-23")
    void everyPostInErrorIsFlushedOnce() {
        try (RcPair pair = RcPair.inProcess()) {
            QueuePair qp = pair.left.qp;
            qp.modify(TO_ERR);
            qp.postSend(write(pair.left, 1));
            qp.postSend(List.of(write(pair.left, 2).unsignaled(), write(pair.left, 3)));
            qp.postRecv(ReceiveWorkRequest.of(11, pair.left.sge(0, 8)));
            qp.postRecv(List.of(ReceiveWorkRequest.of(12), ReceiveWorkRequest.of(13)));
            for (int id = 1; id <= 3; id++) {
                assertThat(pair.left.sent()).hasId(id).hasStatus(WcStatus.WR_FLUSH_ERR);
                assertThat(pair.left.received()).hasId(10 + id).hasStatus(WcStatus.WR_FLUSH_ERR);
            }
            assertThat(pair.left.sendCq.poll(9)).isEmpty();
            assertThat(pair.left.recvCq.poll(9)).isEmpty();
            assertThat(pair.tap.sentBy("left")).isEmpty();
        }
    }

    @Test
    @Rule("QP-23")
    void queueInErrorTakesPostsWithoutEndWhenItsCompletionsArePolled() {
        try (RcPair pair = RcPair.inProcess()) {
            int most = QpCapabilities.USUAL.maxSendWr();
            pair.left.qp.modify(TO_ERR);
            for (int id = 0; id < 5 * most; id++) {
                pair.left.qp.postSend(write(pair.left, id).unsignaled());
                pair.left.qp.postRecv(ReceiveWorkRequest.of(id));
                assertThat(pair.left.sent()).hasId(id).hasStatus(WcStatus.WR_FLUSH_ERR);
                assertThat(pair.left.received()).hasId(id).hasStatus(WcStatus.WR_FLUSH_ERR);
            }
        }
    }

    @Test
    @Rule("QP-22")
    void explanationOfAFlushStaysTrueWhenTheSlotIsUsedAgain() {
        try (RcPair pair = RcPair.inProcess(new QpCapabilities(1, 1, 1, 1, 0))) {
            pair.connect(RcPair.WITHOUT_TIMER);
            pair.left.qp.modify(TO_ERR);
            pair.left.qp.postSend(write(pair.left, 1));
            WorkCompletion first = pair.left.sent();
            pair.left.qp.postSend(write(pair.left, 2));
            assertThat(pair.left.sent()).hasId(2).isExplainedBy("QP-22", "wr_id=2");
            assertThat(first).hasId(1).isExplainedBy("QP-22", "wr_id=1");
        }
    }

    @Test
    @Rule("QP-29")
    void errorOfOneSideTellsThePeerNothing() {
        try (RcPair pair = RcPair.inProcess(QpCapabilities.USUAL)) {
            pair.connect(RcConnection.USUAL.withRetries(8, 1, 7, 1));
            QueuePair idle = pair.left.newQueuePair();
            QueuePair idlePeer = pair.right.newQueuePair();
            RcConnection.connect(idle, idlePeer);
            pair.tap.clear();

            pair.left.qp.modify(TO_ERR);
            idle.modify(TO_ERR);
            assertThat(pair.tap.sentBy("left")).isEmpty();
            assertState(pair.right.qp, QpState.RTS);

            pair.right.qp.postSend(
                    SendWorkRequest.write(1, pair.left.address(0), pair.left.rkey(), pair.right.sge(0, 8)));
            assertThat(pair.right.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
            assertState(pair.right.qp, QpState.ERR);
            assertThat(pair.tap.sentBy("left")).isEmpty();
            assertState(idlePeer, QpState.RTS);
            assertThat(pair.right.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule("QP-30")
    void badLocalKeyEndsOnlyTheOwnQueuePair() {
        try (RcPair pair = RcPair.inProcess()) {
            Sge bad = new Sge(pair.left.address(0), 8, 0xbad);
            for (SendWorkRequest request : List.of(
                    SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), bad),
                    SendWorkRequest.send(1, bad),
                    SendWorkRequest.read(1, pair.right.address(0), pair.right.rkey(), bad),
                    SendWorkRequest.fetchAndAdd(1, pair.right.address(0), pair.right.rkey(), 1, bad))) {
                QueuePair own = pair.left.newQueuePair();
                QueuePair peer = pair.right.newQueuePair();
                RcConnection.connect(own, peer);
                own.postSend(request);
                assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR);
                assertState(own, QpState.ERR);
                assertState(peer, QpState.RTS);
                assertThat(pair.right.device.pollAsyncEvent()).isNull();
            }
        }
    }

    @Test
    @Rule({"QP-22", "QP-30"})
    void requestsBehindOneWithABadLocalKeyWaitForThoseBeforeIt() {
        try (RcPair pair = RcPair.inProcess(QpCapabilities.USUAL)) {
            pair.connect(RcConnection.USUAL.withRetries(10, 7, 7, 1));
            pair.left.qp.postSend(List.of(
                    SendWorkRequest.send(1, pair.left.sge(0, 8)),
                    SendWorkRequest.write(
                            2, pair.right.address(0), pair.right.rkey(), new Sge(pair.left.address(0), 8, 0xbad)),
                    SendWorkRequest.write(3, pair.right.address(0), pair.right.rkey(), pair.left.sge(64, 8))));
            pair.right.qp.postRecv(ReceiveWorkRequest.of(11, pair.right.sge(0, 8)));
            assertThat(pair.left.sent()).hasId(1).isSuccess();
            assertThat(pair.left.sent()).hasId(2).hasStatus(WcStatus.LOC_PROT_ERR);
            assertThat(pair.left.sent()).hasId(3).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(pair.right.received()).hasId(11).isSuccess();
            assertState(pair.right.qp, QpState.RTS);
        }
    }

    @Test
    @Rule("QP-22")
    void queuesOfOneCompletionQueueAreFlushedEachInItsOrder() {
        try (RcPair pair = RcPair.inProcess(QpCapabilities.USUAL)) {
            Side side = pair.left;
            QueuePair qp = side.pd.createQp(QpInitAttributes.rc(side.sendCq));
            RcConnection.USUAL.readyToReceive(qp, RcConnection.Endpoint.of(pair.right.qp, 1));
            qp.postRecv(List.of(ReceiveWorkRequest.of(11), ReceiveWorkRequest.of(12)));
            qp.modify(TO_ERR);
            qp.postSend(List.of(write(side, 1), write(side, 2)));
            List<Long> ids =
                    side.sendCq.poll(9).stream().map(WorkCompletion::id).toList();
            assertThat(ids).containsExactlyInAnyOrder(1L, 2L, 11L, 12L);
            assertThat(ids.indexOf(1L)).isLessThan(ids.indexOf(2L));
            assertThat(ids.indexOf(11L)).isLessThan(ids.indexOf(12L));
        }
    }
}
