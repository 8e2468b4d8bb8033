// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One completion queue of several queue pairs. */
class SharedCompletionQueueTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);

    @Test
    @Rule({"CQ-04", "ORD-22"})
    void queueServesSendsAndReceivesOfManyQueuePairsAndNamesEach() {
        CompletionQueue shared = pair.left.device.createCq(256);
        List<QueuePair> near = new ArrayList<>();
        List<QueuePair> far = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            near.add(queuePair(pair.left, shared));
            far.add(queuePair(pair.right, pair.right.sendCq));
            RcConnection.connect(near.get(i), far.get(i));
        }
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 3; i++) {
                near.get(i).postRecv(ReceiveWorkRequest.of(round, pair.left.sge(0, 8)));
                near.get(i).postSend(write(round));
                far.get(i).postSend(SendWorkRequest.send(round, pair.right.sge(0, 8)));
            }
        }
        List<WorkCompletion> all = shared.poll(64);
        assertThat(all).hasSize(30);
        for (QueuePair queuePair : near) {
            for (WcOpcode opcode : new WcOpcode[] {WcOpcode.RDMA_WRITE, WcOpcode.RECV}) {
                assertThat(all)
                        .filteredOn(each -> each.qpNumber() == queuePair.number() && each.opcode() == opcode)
                        .extracting(WorkCompletion::id)
                        .containsExactly(0L, 1L, 2L, 3L, 4L);
            }
        }
        all.forEach(each -> assertThat(each).isSuccess());
    }

    @Test
    @Rule({"QP-06", "QP-24"})
    void completionsOfAResetOrDestroyedQueuePairGoAndThoseOfOthersStayInOrder() {
        CompletionQueue shared = pair.left.device.createCq(16);
        QueuePair kept = connected(shared);
        QueuePair reset = connected(shared);
        QueuePair destroyed = connected(shared);
        // Rounds, so that the ring has wrapped when it is purged.
        for (int round = 0; round < 3; round++) {
            for (int id = 1; id <= 4; id++) {
                kept.postSend(write(id));
                reset.postSend(write(10 + id));
                destroyed.postSend(write(20 + id));
            }
            reset.modify(new QpAttributes().state(QpState.RESET));
            if (round == 2) {
                destroyed.close();
            }
            List<WorkCompletion> left = shared.poll(32);
            assertThat(left)
                    .filteredOn(each -> each.qpNumber() == kept.number())
                    .extracting(WorkCompletion::id)
                    .containsExactly(1L, 2L, 3L, 4L);
            assertThat(left).hasSize(round == 2 ? 4 : 8);
            RcConnection.connect(reset, queuePair(pair.right, pair.right.sendCq));
        }
        kept.postSend(write(5));
        assertThat(shared.awaitCompletion(Await.LIMIT)).isSuccess().hasId(5);
    }

    private SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }

    private QueuePair connected(CompletionQueue cq) {
        QueuePair near = queuePair(pair.left, cq);
        RcConnection.connect(near, queuePair(pair.right, pair.right.sendCq));
        return near;
    }

    private static QueuePair queuePair(Side side, CompletionQueue cq) {
        return side.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
    }
}
