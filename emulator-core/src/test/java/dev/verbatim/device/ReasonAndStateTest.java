// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whoever polls the completion, or takes the event, that tells why a queue pair failed finds the queue pair in ERR:
 * another thread may look between any two steps of the device.
 */
class ReasonAndStateTest {

    @AutoClose
    private final Verbatim rdma = Verbatim.inProcess().tap(this::observe);

    private final Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
    private final Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
    private QueuePair watched = left.qp;
    private final List<String> reasons = new ArrayList<>();
    private final List<QpState> states = new ArrayList<>();

    @BeforeEach
    void connect() {
        RcConnection.USUAL.withRetries(14, 7, 0, 1).join(left.qp, right.qp);
    }

    private void observe(TraceEvent event) {
        RuleCoverage.observe(event);
        if (event instanceof TraceEvent.Completed completed && completed.status() != WcStatus.SUCCESS) {
            note(completed, completed.status().toString());
        } else if (event instanceof TraceEvent.EventRaised raised && raised.type() != EventType.CQ_ERR) {
            note(raised, raised.type().toString());
        }
    }

    private void note(TraceEvent event, String reason) {
        reasons.add(event.device() + " " + reason);
        states.add(event.device().equals("left") ? watched.state() : right.qp.state());
    }

    private void assertReasons(String... expected) {
        assertThat(reasons).containsExactlyInAnyOrder(expected);
        assertThat(states).as("%s", reasons).containsOnly(QpState.ERR);
        asserted();
    }

    @Test
    @Rule("WC-05")
    void requesterIsInErrWhenItsErrorShows() {
        left.qp.postSend(SendWorkRequest.send(1, new Sge(0, 8, 0x77)));
        assertReasons("left LOC_PROT_ERR");
    }

    @Test
    @Rule({"WC-05", "WC-23"})
    void bothAreInErrWhenAKeyViolationShows() {
        left.qp.postSend(SendWorkRequest.write(1, right.address(0), 0x77, left.sge(0, 8)));
        assertReasons("right QP_ACCESS_ERR", "left REM_ACCESS_ERR");
    }

    @Test
    @Rule({"WC-05", "WC-20"})
    void bothAreInErrWhenAReceiveThatIsTooShortShows() {
        right.qp.postRecv(ReceiveWorkRequest.of(100, right.sge(0, 8)));
        right.qp.postRecv(ReceiveWorkRequest.of(101, right.sge(0, 8)));
        left.qp.postSend(SendWorkRequest.send(1, left.sge(0, 9)));
        assertReasons("right LOC_LEN_ERR", "right WR_FLUSH_ERR", "left REM_INV_REQ_ERR");
        assertThat(reasons.get(0)).isEqualTo("right LOC_LEN_ERR");
    }

    @Test
    @Rule({"WC-05", "AE-02"})
    void queuePairIsInErrWhenItsCompletionQueueBreaksIt() {
        CompletionQueue tiny = left.device.createCq(1);
        watched = left.pd.createQp(QpInitAttributes.rc(tiny, tiny, QpCapabilities.USUAL));
        RcConnection.connect(watched, right.newQueuePair());
        SendWorkRequest write = SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 8));
        watched.postSend(write);
        watched.postSend(write);
        assertReasons("left QP_FATAL");
    }
}
