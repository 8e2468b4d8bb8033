// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;

/** Two devices, shared receive queues on one, and queue pairs that send to them. */
abstract class SharedReceiveFixture {

    @AutoClose
    final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);

    final Side left = pair.left;
    final Side right = pair.right;

    SharedReceiveQueue srq(int maxWr) {
        return right.pd.createSrq(SrqInitAttributes.basic(maxWr));
    }

    QueuePair user(SharedReceiveQueue srq) {
        return right.pd.createQp(right.qp.initAttributes().withSrq(srq));
    }

    /** A queue pair on the left that is connected to this one. */
    QueuePair peerOf(QueuePair user) {
        QueuePair peer = left.newQueuePair();
        RcPair.WITHOUT_TIMER.join(peer, user);
        return peer;
    }

    static void post(SharedReceiveQueue srq, int from, int count) {
        for (int id = from; id < from + count; id++) {
            srq.postRecv(ReceiveWorkRequest.of(id));
        }
    }

    void send(QueuePair peer, int count) {
        for (int i = 0; i < count; i++) {
            peer.postSend(SendWorkRequest.send(i));
            assertThat(left.sent()).isSuccess();
        }
    }

    List<Long> receivedIds() {
        return right.recvCq.poll(1 << 10).stream().map(WorkCompletion::id).toList();
    }
}
