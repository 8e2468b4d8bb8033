// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementDrop;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two devices over TCP, one of which refuses what the other asks, and tells why if both are set so. */
@Timeout(600)
class RefusalReasonsOverTcpTest {

    private static final int WRONG_KEY = 0x7777;
    private static final String MANAGEMENT = "UD_SEND_ONLY";

    private static final class End implements AutoCloseable {

        final NettyFabric fabric;
        final Verbatim door;
        final RecordingTap tap = new RecordingTap();
        final Side side;

        End(boolean tells) {
            fabric = NettyFabric.open(NettyOptions.defaults().withRefusalReasons(tells));
            door = Verbatim.over(fabric).tap(tap);
            side = new Side(door.open("device"), QpCapabilities.USUAL);
        }

        List<String> packets() {
            return tap.events(TraceEvent.PacketSent.class).stream()
                    .map(TraceEvent.PacketSent::packetName)
                    .collect(Collectors.toList());
        }

        @Override
        public void close() {
            door.close();
        }
    }

    private static void connect(End asker, End owner) {
        asker.fabric.dial(owner.fabric.listen(Node.loopback(0)));
        RcConnection.USUAL.join(asker.side.qp, owner.side.qp);
    }

    private static WorkCompletion refused(End asker, End owner, int rkey, long address) {
        asker.side.qp.postSend(SendWorkRequest.write(1, address, rkey, asker.side.sge(0, 8)));
        WorkCompletion failed = asker.side.sent();
        assertThat(failed).hasStatus(WcStatus.REM_ACCESS_ERR);
        return failed;
    }

    @Test
    @Rule("MAD-09")
    void remoteErrorCarriesTheSentenceOfTheResponder() {
        try (End asker = new End(true);
                End owner = new End(true)) {
            connect(asker, owner);
            WorkCompletion failed = refused(asker, owner, owner.side.rkey(), owner.side.address(Side.REGION_BYTES));
            Await.until("the reason", () -> failed.explanation().contains("caused by"), failed::explanation);
            assertThat(failed.explanation())
                    .contains(
                            "qp " + owner.side.qp.number() + " of ", " answers: RDMA_WRITE of 8 bytes at ", "[MR-22]");
            // Behind the NAK, which is not delayed.
            assertThat(owner.packets()).containsExactly("NAK remote access error", MANAGEMENT);
            assertThat(asker.packets()).containsExactly("RDMA_WRITE_ONLY", MANAGEMENT);
        }
    }

    @Test
    @Rule("WC-45")
    void devicesOfOneFabricNeedNoDatagramForThat() {
        try (End both = new End(false)) {
            Side other = new Side(both.door.open("other"), QpCapabilities.USUAL);
            RcConnection.USUAL.join(both.side.qp, other.qp);
            both.side.qp.postSend(SendWorkRequest.write(1, 0, WRONG_KEY, both.side.sge(0, 8)));
            assertThat(both.side.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).isExplainedBy("WC-45", "[KEY-04]");
        }
    }

    @Test
    @Rule("QP-29")
    void exhaustedRetriesSayThatThereIsNoConnection() {
        try (End asker = new End(false);
                End owner = new End(false)) {
            asker.fabric.dial(owner.fabric.listen(Node.loopback(0)));
            RcConnection.USUAL.withRetries(8, 1, 7, 12).join(asker.side.qp, owner.side.qp);
            owner.door.close();
            asker.side.qp.postSend(SendWorkRequest.write(1, 0, WRONG_KEY, asker.side.sge(0, 8)));
            assertThat(asker.side.sent())
                    .hasStatus(WcStatus.RETRY_EXC_ERR)
                    .isExplainedBy("WC-36", "there is no connection to ");
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    @Rule("MAD-09")
    void unlessBothAreSetSoNothingIsTold(boolean askerTells, boolean ownerTells) {
        try (End asker = new End(askerTells);
                End owner = new End(ownerTells)) {
            connect(asker, owner);
            WorkCompletion failed = refused(asker, owner, WRONG_KEY, 0);
            if (askerTells) {
                ManagementPort port = ((ManagedDevice) owner.side.device).managementPort();
                Await.until("the question", () -> port.dropped(ManagementDrop.METHOD) == 1);
            }
            assertThat(owner.packets()).containsExactly("NAK remote access error");
            assertThat(asker.packets().contains(MANAGEMENT)).isEqualTo(askerTells);
            assertThat(failed.explanation()).doesNotContain("caused by");
        }
    }
}
