// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.net.InetAddress;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two devices over UDP, one of which refuses what the other asks, and tells why if both are set so. */
@Timeout(600)
class RefusalReasonsOverRoceTest {

    private static final InetAddress ONE = LoopbackAddress.of(91);
    private static final InetAddress OTHER = LoopbackAddress.of(92);
    private static final RcConnection CONNECTION = RcConnection.USUAL.withPathMtu(PathMtu.MTU_1024);

    private static RoceOptions at(InetAddress address, boolean tells) {
        return RoceOptions.at(address).withPeers(RoceOptions.Peers.VERBATIM).withRefusalReasons(tells);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule("MAD-09")
    void remoteErrorCarriesTheSentenceOfTheResponderIfBothAreSetSo(boolean tells) {
        RecordingTap tap = new RecordingTap();
        try (RoceEnd a = RoceEnd.open(at(ONE, tells), tap);
                RoceEnd b = RoceEnd.open(at(OTHER, tells))) {
            Side left = a.side(QpCapabilities.USUAL, QpType.RC);
            Side right = b.side(QpCapabilities.USUAL, QpType.RC);
            CONNECTION.join(left.qp, right.qp);
            left.qp.postSend(SendWorkRequest.write(1, right.address(Side.REGION_BYTES), right.rkey(), left.sge(0, 8)));
            WorkCompletion failed = left.sent();
            assertThat(failed).hasStatus(WcStatus.REM_ACCESS_ERR);
            if (tells) {
                Await.until("the reason", () -> failed.explanation().contains("caused by"), failed::explanation);
                assertThat(failed.explanation()).contains(" answers: RDMA_WRITE of 8 bytes at ", "[MR-22]");
            } else {
                assertThat(tap.events(TraceEvent.PacketSent.class))
                        .extracting(TraceEvent.PacketSent::packetName)
                        .containsExactly("RDMA_WRITE_ONLY");
            }
        }
    }
}
