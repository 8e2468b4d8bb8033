// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program may fill a request anew as soon as its post returns (WR-12), in whatever state the queue pair is. */
class ReusedRequestTest {

    private static RcPair pair() {
        return RcPair.inProcess(new QpCapabilities(8, 8, 2, 2, 0)).connect(RcConnection.USUAL);
    }

    private static void post(RcPair pair, SendWorkRequest.Refillable reused, int id) {
        reused.fill(id, WrOpcode.RDMA_WRITE, SendFlags.SIGNALED, pair.right.address(8 * id), pair.right.rkey());
        pair.left.qp.postSend(reused.add(pair.left.sge(8 * id, 8)));
    }

    @Test
    @Rule("WR-12")
    void requestsThatWaitInSqdKeepWhatTheyWereWhenPosted() {
        try (RcPair pair = pair()) {
            pair.left.bytes().putLong(8, 41).putLong(16, 42);
            pair.left.qp.modify(new QpAttributes().state(QpState.SQD), QpAttributeMask.STATE);
            SendWorkRequest.Refillable reused = new SendWorkRequest.Refillable(2);
            post(pair, reused, 1);
            post(pair, reused, 2);
            reused.fill(3, WrOpcode.SEND, 0, 0, 0);
            pair.left.qp.modify(new QpAttributes().state(QpState.RTS), QpAttributeMask.STATE);
            assertThat(pair.left.sent()).isSuccess().hasId(1);
            assertThat(pair.left.sent()).isSuccess().hasId(2);
            assertThat(pair.right.bytes().getLong(8)).isEqualTo(41);
            assertThat(pair.right.bytes().getLong(16)).isEqualTo(42);
        }
    }

    @Test
    @Rule("WR-12")
    void flushedRequestsHaveTheNumbersThatTheyWerePostedWith() {
        try (RcPair pair = pair()) {
            pair.left.qp.modify(new QpAttributes().state(QpState.ERR), QpAttributeMask.STATE);
            SendWorkRequest.Refillable reused = new SendWorkRequest.Refillable(2);
            post(pair, reused, 1);
            post(pair, reused, 2);
            assertThat(pair.left.sendCq.poll(9)).extracting(WorkCompletion::id).containsExactly(1L, 2L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RTS", "SQD", "ERR"})
    @Rule("WR-12")
    void receivesKeepWhatTheyWereWhenPosted(QpState state) {
        try (RcPair pair = pair()) {
            if (state != QpState.RTS) {
                pair.right.qp.modify(new QpAttributes().state(state), QpAttributeMask.STATE);
            }
            ReceiveWorkRequest.Refillable reused = new ReceiveWorkRequest.Refillable(2);
            pair.right.qp.postRecv(reused.fill(1).add(pair.right.sge(64, 8)));
            pair.right.qp.postRecv(reused.fill(2).add(pair.right.sge(128, 8)));
            reused.fill(3);
            if (state != QpState.ERR) {
                pair.left.bytes().putLong(0, 41);
                pair.left.qp.postSend(SendWorkRequest.send(7, pair.left.sge(0, 8)));
                pair.left.qp.postSend(SendWorkRequest.send(8, pair.left.sge(0, 8)));
                assertThat(pair.right.bytes().getLong(64)).isEqualTo(41);
                assertThat(pair.right.bytes().getLong(128)).isEqualTo(41);
            }
            assertThat(pair.right.recvCq.poll(9)).extracting(WorkCompletion::id).containsExactly(1L, 2L);
        }
    }
}
