// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Table D.3, cell by cell: what each state does with posts and with packets that come in. */
class QpStateTableTest {

    /** Gives up after two times one millisecond. */
    private static final RcConnection IMPATIENT = RcConnection.USUAL.withRetries(8, 1, 7, 1);

    /** Keeps asking for a quarter of a second. */
    private static final RcConnection PERSISTENT = RcConnection.USUAL.withRetries(13, 7, 7, 1);

    private static final int LEFT_PSN = 1000;
    private static final int RIGHT_PSN = 2000;

    @AutoClose
    private final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);

    private final QueuePair qp = pair.right.qp;

    /** Takes the right queue pair to a state and the left one, its peer, to RTS. */
    private void rightIn(QpState state) {
        bring(qp, state);
        leftReady(IMPATIENT);
    }

    private void leftReady(RcConnection connection) {
        connection.readyToReceive(pair.left.qp, Endpoint.of(qp, RIGHT_PSN));
        connection.readyToSend(pair.left.qp, LEFT_PSN);
    }

    private void bring(QueuePair queuePair, QpState state) {
        switch (state) {
            case RESET -> {}
            case INIT ->
                queuePair.modify(new QpAttributes()
                        .state(QpState.INIT)
                        .pkeyIndex(0)
                        .portNumber(1)
                        .accessFlags(Side.ALL_RIGHTS));
            case RTR -> {
                if (queuePair.state() == QpState.RESET) {
                    bring(queuePair, QpState.INIT);
                }
                queuePair.modify(new QpAttributes()
                        .state(QpState.RTR)
                        .addressVector(AddressVector.to(pair.left.device.gid()))
                        .pathMtu(PathMtu.MTU_1024)
                        .destinationQp(pair.left.qp.number())
                        .rqPsn(LEFT_PSN)
                        .maxDestRdAtomic(1)
                        .minRnrTimer(1));
            }
            default -> {
                bring(queuePair, QpState.RTR);
                RcConnection.USUAL.readyToSend(queuePair, RIGHT_PSN);
                if (state != QpState.RTS) {
                    queuePair.modify(new QpAttributes().state(state));
                }
            }
        }
        assertState(queuePair, state);
    }

    private SendWorkRequest writeTo(Side target, long id) {
        Side source = target == pair.left ? pair.right : pair.left;
        return SendWorkRequest.write(id, target.address(0), target.rkey(), source.sge(64, 8));
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT", "RTR"})
    @Rule("QP-20")
    void sendPostedBeforeReadyToSendIsRefusedAndNeverExecuted(QpState state) {
        rightIn(state);
        assertRefused(Errno.EINVAL, "QP-20", () -> qp.postSend(writeTo(pair.left, 1)), state.name());
        List<SendWorkRequest> chain = List.of(writeTo(pair.left, 2), writeTo(pair.left, 3));
        int bad = assertRefused(Errno.EINVAL, "QP-20", () -> qp.postSend(chain)).badRequest();
        assertThat(bad).isZero();

        if (state == QpState.RTR) {
            RcConnection.USUAL.readyToSend(qp, RIGHT_PSN);
            qp.postSend(writeTo(pair.left, 4));
            assertThat(pair.right.sent()).isSuccess().hasId(4);
        }
        assertThat(pair.right.sendCq.poll(9)).isEmpty();
    }

    @Test
    void sendPostedInReadyToSendExecutes() {
        rightIn(QpState.RTS);
        qp.postSend(writeTo(pair.left, 1));
        assertThat(pair.right.sent()).isSuccess().hasId(1);
    }

    @Test
    @Rule("QP-26")
    void sendPostedWhileDrainingWaitsForReadyToSend() {
        rightIn(QpState.SQD);
        qp.postSend(writeTo(pair.left, 1));
        assertThat(pair.right.sendCq.poll(9)).isEmpty();
        pair.tap.clear();

        qp.modify(new QpAttributes().state(QpState.RTS));
        assertThat(pair.right.sent()).isSuccess().hasId(1);
        List<TraceEvent> ofRight = pair.tap.events(TraceEvent.class).stream()
                .filter(event -> event.qp() == qp.number() && event.device().equals("right"))
                .filter(event -> event instanceof TraceEvent.StateChanged || event instanceof TraceEvent.PacketSent)
                .toList();
        assertThat(ofRight).hasSize(2).first().isInstanceOf(TraceEvent.StateChanged.class);
    }

    @Test
    @Rule("QP-21")
    void receivePostedInResetIsRefused() {
        assertRefused(
                Errno.EINVAL, "QP-21", () -> qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8))), "RESET");
        int bad = assertRefused(
                        Errno.EINVAL,
                        "QP-21",
                        () -> qp.postRecv(List.of(ReceiveWorkRequest.of(1), ReceiveWorkRequest.of(2))))
                .badRequest();
        assertThat(bad).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"INIT", "RTR", "RTS", "SQD"})
    @Rule({"QP-21", "WR-30"})
    void receivePostedFromInitOnServesAMessage(QpState state) {
        assertRefused(Errno.EINVAL, "QP-21", () -> qp.postRecv(ReceiveWorkRequest.of(6)));
        bring(qp, state);
        qp.postRecv(ReceiveWorkRequest.of(7, pair.right.sge(0, 8)));
        assertThat(pair.right.recvCq.poll(9)).isEmpty();
        if (state == QpState.INIT) {
            bring(qp, QpState.RTR);
        }
        leftReady(PERSISTENT);
        pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess().hasId(7).hasByteLength(8);
    }

    @ParameterizedTest
    @EnumSource(names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    void packetIsProcessedFromReadyToReceiveOnAndDroppedOtherwise(QpState state) {
        rightIn(state);
        pair.left.bytes().putLong(64, 0xfeedL);
        pair.left.qp.postSend(writeTo(pair.right, 1));
        boolean receives = state == QpState.RTR || state == QpState.RTS || state == QpState.SQD;
        assertThat(pair.left.sent()).hasStatus(receives ? WcStatus.SUCCESS : WcStatus.RETRY_EXC_ERR);
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(receives ? 0xfeedL : 0);
        assertState(qp, state);
        assertThat(pair.tap.sentBy("right")).hasSize(receives ? 1 : 0);
        if (state == QpState.RTR) {
            assertEvent(pair.right.device.pollAsyncEvent(), EventType.COMM_EST, qp);
        }
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT", "ERR"})
    @Rule("QP-28")
    void requestToAQueuePairThatDoesNotReceiveEndsWithRetriesExceeded(QpState state) {
        rightIn(state);
        pair.left.qp.postSend(SendWorkRequest.read(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        assertState(pair.left.qp, QpState.ERR);
        assertState(qp, state);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT"})
    @Rule("QP-28")
    void requestIsRepeatedUntilTheTargetReceives(QpState state) {
        bring(qp, state);
        leftReady(PERSISTENT);
        pair.left.qp.postSend(writeTo(pair.right, 1));
        assertThat(pair.left.sendCq.poll(9)).isEmpty();

        bring(qp, QpState.RTR);
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertState(qp, QpState.RTR);
    }
}
