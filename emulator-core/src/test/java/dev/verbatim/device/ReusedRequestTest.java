// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
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
            beforeTheDeviceActs(pair.left, () -> {
                post(pair, reused, 1);
                post(pair, reused, 2);
                reused.fill(3, WrOpcode.SEND, 0, 0, 0);
            });
            assertThat(pair.left.sendCq.poll(9)).extracting(WorkCompletion::id).containsExactly(1L, 2L);
        }
    }

    /** The peer is not ready yet, so that both requests wait in the queue of a queue pair that may send. */
    @Test
    @Rule("WR-12")
    void requestsThatWaitInRtsKeepWhatTheyWereWhenPosted() {
        try (RcPair pair = pair()) {
            pair.left.bytes().putLong(0, 41).putLong(64, 42);
            SendWorkRequest.Refillable reused = new SendWorkRequest.Refillable(2);
            for (int id = 1; id <= 2; id++) {
                reused.fill(id, WrOpcode.SEND, SendFlags.SIGNALED, 0, 0);
                pair.left.qp.postSend(reused.add(pair.left.sge(64 * (id - 1), 8)));
            }
            reused.fill(3, WrOpcode.RDMA_WRITE, 0, 0, 0);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
            pair.right.qp.postRecv(ReceiveWorkRequest.of(2, pair.right.sge(8, 8)));
            assertThat(pair.left.sent()).isSuccess().hasId(1);
            assertThat(pair.left.sent()).isSuccess().hasId(2);
            assertThat(pair.right.bytes().getLong(0)).isEqualTo(41);
            assertThat(pair.right.bytes().getLong(8)).isEqualTo(42);
        }
    }

    /** A request that fails takes the queue pair of UC to SQE, where it flushes what is posted. */
    @Test
    @Rule("WR-12")
    void requestsFlushedInSqeHaveTheNumbersThatTheyWerePostedWith() {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL, null, QpType.UC);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL, null, QpType.UC);
            UcConnection.connect(left.qp, right.qp);
            SendWorkRequest.Refillable reused = new SendWorkRequest.Refillable(2);
            postUnfit(left, reused, 1);
            assertThat(left.qp.state()).isEqualTo(QpState.SQE);
            beforeTheDeviceActs(left, () -> {
                postUnfit(left, reused, 2);
                postUnfit(left, reused, 3);
                reused.fill(4, WrOpcode.SEND, 0, 0, 0);
            });
            assertThat(left.sendCq.poll(9)).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L);
        }
    }

    private static void postUnfit(Side side, SendWorkRequest.Refillable reused, int id) {
        reused.fill(id, WrOpcode.SEND, SendFlags.SIGNALED, 0, 0);
        side.qp.postSend(reused.add(new Sge(0, 8, 0xbad)));
    }

    /** Posts in one step of the lane, which answers doorbells after it: the device looks at no request before all were filled anew. */
    private static void beforeTheDeviceActs(Side side, Runnable posts) {
        ((ManagedDevice) side.device).managementPort().lane().call(posts);
    }

    @ParameterizedTest
    @EnumSource(names = {"INIT", "RTR"})
    @Rule("WR-12")
    void receivesOfAQueuePairThatIsNotReadyKeepWhatTheyWereWhenPosted(QpState state) {
        try (RcPair pair = RcPair.inProcess(new QpCapabilities(8, 8, 2, 2, 0))) {
            RcConnection usual = RcConnection.USUAL;
            RcConnection.Endpoint left = RcConnection.Endpoint.of(pair.left.qp, 1);
            RcConnection.Endpoint right = RcConnection.Endpoint.of(pair.right.qp, 2);
            if (state == QpState.INIT) {
                pair.right.qp.modify(new QpAttributes()
                        .state(QpState.INIT)
                        .pkeyIndex(0)
                        .portNumber(1)
                        .accessFlags(0));
                postReceives(pair);
                usual.readyToReceive(pair.right.qp, left);
            } else {
                usual.readyToReceive(pair.right.qp, left);
                postReceives(pair);
            }
            usual.readyToReceive(pair.left.qp, right);
            usual.readyToSend(pair.left.qp, 1);
            pair.left.bytes().putLong(0, 41);
            pair.left.qp.postSend(SendWorkRequest.send(7, pair.left.sge(0, 8)));
            pair.left.qp.postSend(SendWorkRequest.send(8, pair.left.sge(0, 8)));
            assertThat(pair.right.bytes().getLong(64)).isEqualTo(41);
            assertThat(pair.right.bytes().getLong(128)).isEqualTo(41);
            assertThat(pair.right.recvCq.poll(9)).extracting(WorkCompletion::id).containsExactly(1L, 2L);
        }
    }

    private static void postReceives(RcPair pair) {
        ReceiveWorkRequest.Refillable reused = new ReceiveWorkRequest.Refillable(2);
        pair.right.qp.postRecv(reused.fill(1).add(pair.right.sge(64, 8)));
        pair.right.qp.postRecv(reused.fill(2).add(pair.right.sge(128, 8)));
        reused.fill(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"RTS", "SQD", "ERR"})
    @Rule("WR-12")
    void receivesKeepWhatTheyWereWhenPosted(QpState state) {
        try (RcPair pair = pair()) {
            if (state != QpState.RTS) {
                pair.right.qp.modify(new QpAttributes().state(state), QpAttributeMask.STATE);
            }
            beforeTheDeviceActs(pair.right, () -> postReceives(pair));
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
