// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.RcConnection;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Between devices that nobody watches plain requests and their answers take the fast path, at both ends, and do what they do as packets. */
class FastPathContractTest {

    private static final int REQUESTS = 4;

    @ParameterizedTest
    @EnumSource(names = {"IN_PROCESS", "TCP"})
    void plainRequestsTakeTheFastPathAtBothEnds(FabricKind fabric) {
        assumeTrue(FastPath.isOn(), "the fast path is turned off");
        try (RcPair pair = fabric.openUnwatched(QpCapabilities.USUAL).connect(RcConnection.USUAL)) {
            Side left = pair.left;
            Side right = pair.right;
            left.bytes().putLong(0, 0x1122_3344_5566_7788L).putLong(24, 7);
            right.bytes().putLong(32, 40);
            right.qp.postRecv(ReceiveWorkRequest.of(1, right.sge(16, 8)));
            SendWorkRequest[] requests = {
                SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 8)),
                SendWorkRequest.read(2, right.address(0), right.rkey(), left.sge(8, 8)),
                SendWorkRequest.send(3, left.sge(24, 8)),
                SendWorkRequest.fetchAndAdd(4, right.address(32), right.rkey(), 2, left.sge(40, 8))
            };
            assertThat(requests).hasSize(REQUESTS);
            for (SendWorkRequest request : requests) {
                left.qp.postSend(request);
                assertThat(left.sent().status()).as(request.toString()).isEqualTo(WcStatus.SUCCESS);
            }
            assertThat(right.received().byteLength()).isEqualTo(8);
            assertThat(right.bytes().getLong(0)).isEqualTo(0x1122_3344_5566_7788L);
            assertThat(left.bytes().getLong(8)).isEqualTo(0x1122_3344_5566_7788L);
            assertThat(right.bytes().getLong(16)).isEqualTo(7);
            assertThat(right.bytes().getLong(32)).isEqualTo(42);
            assertThat(left.bytes().getLong(40)).isEqualTo(40);
            assertThat(counted(left, DeviceContext::fastPathSent)).isEqualTo(REQUESTS);
            assertThat(counted(right, DeviceContext::fastPathTaken)).isEqualTo(REQUESTS);
            // In one JVM a request brings its answer back in the same step.
            int answers = fabric == FabricKind.TCP ? REQUESTS : 0;
            assertThat(counted(right, DeviceContext::fastPathAnswersSent)).isEqualTo(answers);
            assertThat(counted(left, DeviceContext::fastPathAnswersTaken)).isEqualTo(answers);
        }
    }

    private static long counted(Side side, ToLongFunction<DeviceContext> counter) {
        DeviceContext context = ((EmulatedDevice) side.device).context();
        return context.onLane(() -> counter.applyAsLong(context));
    }
}
