// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that came before its receive was posted is asked for again, and arrives once. */
@OnEveryFabric
class LateReceiveContractTest {

    private static final int RNR_NAKS = 2;

    @Parameter
    FabricKind fabric;

    @ParameterizedTest
    @EnumSource(Waiter.class)
    @Rule({"RT-04", "PR-02", "AE-22"})
    void sendThatWasTurnedAwayArrivesWhenItsReceiveIsPosted(Waiter waiter) {
        try (RcPair pair = fabric.open(QpCapabilities.USUAL).connect(RcConnection.USUAL)) {
            pair.left.bytes().putLong(0, 0x1122334455667788L);
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
            awaitRnrNaks(pair);

            pair.right.qp.postRecv(ReceiveWorkRequest.of(100, pair.right.sge(64, 8)));
            assertThat(waiter.next(pair.right.recvCq))
                    .isSuccess()
                    .hasId(100)
                    .hasOpcode(WcOpcode.RECV)
                    .hasByteLength(8);
            assertThat(waiter.next(pair.left.sendCq)).isSuccess().hasId(1);
            assertThat(pair.right.bytes().getLong(64)).isEqualTo(0x1122334455667788L);
            assertQuiet(pair);
        }
    }

    @ParameterizedTest
    @EnumSource(Waiter.class)
    @Rule({"RT-04", "PR-02", "WR-31"})
    void longWriteWithImmediateIsTurnedAwayAtItsEndAndCompletesWhenItsReceiveIsPosted(Waiter waiter) {
        try (RcPair pair = fabric.open(QpCapabilities.USUAL).connect(RcConnection.USUAL)) {
            pair.left.bytes().putLong(4992, -7);
            pair.left.qp.postSend(SendWorkRequest.writeWithImmediate(
                    1, pair.right.address(0), pair.right.rkey(), 99, pair.left.sge(0, 5000)));
            awaitRnrNaks(pair);

            pair.right.qp.postRecv(ReceiveWorkRequest.of(100));
            WorkCompletion received = waiter.next(pair.right.recvCq);
            assertThat(received)
                    .isSuccess()
                    .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                    .hasByteLength(5000)
                    .hasFlags(WcFlags.WITH_IMM);
            assertThat(received.immediate()).isEqualTo(99);
            assertThat(waiter.next(pair.left.sendCq)).isSuccess().hasId(1);
            assertThat(pair.right.bytes().getLong(4992)).isEqualTo(-7);
            assertQuiet(pair);
        }
    }

    /**
     * The thread waits already when the receive is posted, and nobody else drives the devices. Not in virtual time: there a
     * thread that waits while nothing is under way has waited as soon as it began.
     */
    @ParameterizedTest
    @EnumSource(Waiter.class)
    @Rule("RT-04")
    void threadThatWaitsAlreadyIsServed(Waiter waiter) throws Exception {
        assumeThat(fabric).isNotEqualTo(FabricKind.LOSSY);
        try (RcPair pair = fabric.open(QpCapabilities.USUAL).connect(RcConnection.USUAL)) {
            CompletableFuture<WorkCompletion> sent = CompletableFuture.supplyAsync(() -> waiter.next(pair.left.sendCq));
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
            awaitRnrNaks(pair);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(100, pair.right.sge(64, 8)));
            assertThat(Await.result("the completion", sent)).isSuccess().hasId(1);
            assertThat(pair.right.received()).isSuccess().hasId(100);
        }
    }

    private static void assertQuiet(RcPair pair) {
        assertState(pair.left.qp, QpState.RTS);
        assertState(pair.right.qp, QpState.RTS);
        assertThat(pair.left.device.pollAsyncEvent()).isNull();
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
        assertThat(pair.right.recvCq.poll(1)).isEmpty();
    }

    /** The message was turned away, waited, came again and was turned away again. */
    private static void awaitRnrNaks(RcPair pair) {
        WorkCompletion[] none = {};
        while (pair.tap.events(TraceEvent.Decided.class).stream()
                        .filter(decided -> decided.rule().equals("RT-04"))
                        .count()
                < RNR_NAKS) {
            pair.left.sendCq.poll(none);
        }
    }
}
