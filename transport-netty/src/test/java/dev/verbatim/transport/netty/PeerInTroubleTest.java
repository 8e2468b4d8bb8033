// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Psn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two devices in two processes, of which one is stopped, or killed and started anew. */
@Timeout(600)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no signals that stop a process and let it go on")
@LongTest
class PeerInTroubleTest {

    private static final long CHILD_GUID = 2;
    private static final int SYSTEMS_CHOICE = 0;

    /** The usual 67.1 ms, four times as long on a link that is reliable. */
    private static final long LEAST_WAIT_NANOS = 4 * 67_108_864L;

    /** After each wait a request is sent again, and two more when the peer answers. */
    private static final long MOST_OF_A_WAIT = 3;

    private static final long PATTERN = 0x1122334455667788L;

    /** 16.8 ms, four times as long on a link that is reliable, eight times in all: 0.54 s. */
    private static final RcConnection IMPATIENT = RcConnection.USUAL.withRetries(12, 7, 7, 12);

    /** A device in this process, with a connection to that of the other. */
    private static final class Survivor implements AutoCloseable {

        final RecordingTap tap = new RecordingTap();
        final NettyFabric fabric;
        final Verbatim rdma;
        final Side side;

        Survivor(NettyOptions options, DeviceProcess child) {
            fabric = NettyFabric.open(options);
            rdma = Verbatim.over(fabric)
                    .profile(DeviceProfile.STRICT_IBTA.toBuilder()
                            .sequentialKeys()
                            .build())
                    .tap(tap);
            side = new Side(rdma.open("survivor"), QpCapabilities.USUAL);
            dial(child);
        }

        void dial(DeviceProcess child) {
            assertThat(fabric.dial(Node.loopback(child.port())))
                    .isEqualTo(child.facts().gid(ConnectionData.GID));
        }

        /** Writes the first word of the region. */
        void writes(long id, QueuePair queuePair, DeviceProcess to, int offset) {
            queuePair.postSend(SendWorkRequest.write(id, to.address(offset), to.rkey(), side.sge(0, Long.BYTES)));
        }

        /** Requests whose PSN had been sent before. */
        long repeated() {
            long repeated = 0;
            int end = 0;
            for (PacketSent sent : tap.sentBy("survivor")) {
                if (sent.packet().opcode().isRequest()) {
                    boolean isNew = Psn.compare(sent.packet().psn(), end) >= 0;
                    repeated += isNew ? 0 : 1;
                    end = isNew ? Psn.next(sent.packet().psn()) : end;
                }
            }
            return repeated;
        }

        @Override
        public void close() {
            rdma.close();
            assertThat(fabric.directMemoryBytes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "EPOLL"})
    @Rule({"RT-01", "RT-05", "QP-29"})
    void processThatIsStoppedForAWhileLosesAndRepeatsNothing(SocketTransport transport) throws Exception {
        assumeTrue(transport.isAvailable(), () -> transport + " is not available here");
        try (DeviceProcess child = DeviceProcess.start(CHILD_GUID, SYSTEMS_CHOICE, transport, 0);
                Survivor survivor = new Survivor(NettyOptions.defaults().withTransport(transport), child)) {
            child.join(survivor.side.qp, 0, RcConnection.USUAL);
            child.beginTraffic(survivor.side.address(0), survivor.side.rkey());
            try (RcTraffic traffic = RcTraffic.begin(survivor.side, child.address(0), child.rkey())) {
                child.awaitTraffic();
                traffic.awaitRounds(5);
                long startNanos = System.nanoTime();
                child.suspend();
                Await.until("a request that is sent again", () -> survivor.repeated() > 0);
                child.resume();
                long waits = (System.nanoTime() - startNanos) / LEAST_WAIT_NANOS;
                traffic.awaitRounds(5);
                child.awaitTraffic();
                long ours = RcTraffic.atomics(traffic.end());
                long theirs = child.endTraffic();
                assertThat(survivor.side.bytes().getLong(0)).isEqualTo(theirs);
                assertThat(read(survivor, survivor.side.qp, child, 0)).isEqualTo(ours);
                assertThat(survivor.repeated())
                        .as("requests sent again in %d waits", waits)
                        .isBetween(1L, MOST_OF_A_WAIT * (1 + waits));
                assertState(survivor.side.qp, QpState.RTS);
            }
        }
    }

    @Test
    @Rule({"RT-01", "RT-02", "WC-36", "QP-29"})
    void processThatIsStoppedForGoodIsGivenUpWhetherOrNotTheSocketsHaveRoom() throws Exception {
        int small = 1 << 14;
        try (DeviceProcess child = DeviceProcess.start(CHILD_GUID, SYSTEMS_CHOICE, SocketTransport.NIO, small);
                Survivor roomy = new Survivor(NettyOptions.defaults(), child);
                Survivor full = new Survivor(NettyOptions.defaults().withSocketBufferBytes(small), child)) {
            child.join(roomy.side.qp, 0, IMPATIENT);
            child.join(full.side.qp, 1, IMPATIENT);
            child.suspend();
            long startNanos = System.nanoTime();
            roomy.writes(1, roomy.side.qp, child, 0);
            List<Long> ids = new ArrayList<>();
            for (long id = 0; id < 64; id++) {
                full.side.qp.postSend(
                        SendWorkRequest.write(id, child.address(0), child.rkey(), full.side.sge(0, Side.REGION_BYTES)));
                ids.add(id);
            }
            assertThat(roomy.side.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36", "retry_cnt=7");
            assertThat(full.side.sent())
                    .hasId(0)
                    .hasStatus(WcStatus.RETRY_EXC_ERR)
                    .isExplainedBy("WC-36", "retry_cnt=7");
            for (long id : ids.subList(1, ids.size())) {
                assertThat(full.side.sent()).hasId(id).hasStatus(WcStatus.WR_FLUSH_ERR);
            }
            long tookMillis = (System.nanoTime() - startNanos) / 1_000_000;
            assertThat(tookMillis).isBetween(8 * 4 * 16L, 20_000L);
            assertThat(roomy.repeated()).isEqualTo(7);
            assertThat(full.repeated())
                    .as("requests sent again into a full socket")
                    .isZero();
        }
    }

    @Test
    @Rule({"QP-29", "WC-36"})
    void processThatIsKilledAndStartedAnewInheritsNothing() throws Exception {
        try (DeviceProcess first = DeviceProcess.start(CHILD_GUID, TcpPorts.unasked(), SocketTransport.NIO, 0);
                Survivor survivor = new Survivor(NettyOptions.defaults(), first)) {
            Side side = survivor.side;
            QueuePair busy = side.qp;
            QueuePair hearing = side.newQueuePair();
            QueuePair talking = side.newQueuePair();
            first.join(busy, 0, IMPATIENT);
            first.join(hearing, 1, IMPATIENT);
            first.join(talking, 2, IMPATIENT);
            side.bytes().putLong(0, PATTERN);
            survivor.writes(1, busy, first, 8);
            assertThat(side.sent()).isSuccess().hasId(1);
            first.kill();
            survivor.writes(2, busy, first, 8);
            try (DeviceProcess second = DeviceProcess.start(CHILD_GUID, first.port(), SocketTransport.NIO, 0)) {
                survivor.dial(second);
                assertThat(second.facts()).hasToString(first.facts().toString());
                assertThat(side.sent()).hasId(2).hasStatus(WcStatus.RETRY_EXC_ERR);
                // As if the first one went on: what is connected is what was, and the numbers go on as they would have.
                second.connect(1, 0, RcConnection.Endpoint.of(hearing, 0), IMPATIENT);
                second.connect(2, 0, RcConnection.Endpoint.of(talking, 0), IMPATIENT);
                assertThat(second.writes(1, side.address(16), side.rkey())).isEqualTo("RETRY_EXC_ERR");
                assertThat(side.bytes().getLong(16)).isZero();
                assertState(hearing, QpState.RTS);
                survivor.writes(3, talking, second, 8);
                assertThat(side.sent()).hasId(3).hasStatus(WcStatus.RETRY_EXC_ERR);
                QueuePair fresh = side.newQueuePair();
                second.join(fresh, 3, IMPATIENT);
                assertThat(read(survivor, fresh, second, 8)).isZero();
                survivor.writes(4, fresh, second, 8);
                assertThat(side.sent()).isSuccess().hasId(4);
                assertThat(read(survivor, fresh, second, 8)).isEqualTo(PATTERN);
                assertThat(second.writes(3, side.address(16), side.rkey())).isEqualTo("SUCCESS");
                assertThat(side.bytes().getLong(16)).isEqualTo(DeviceProcess.WORD);
            }
        }
    }

    /** A word of the child's region. */
    private static long read(Survivor survivor, QueuePair queuePair, DeviceProcess child, int offset) {
        Side side = survivor.side;
        int landing = 8;
        queuePair.postSend(SendWorkRequest.read(5, child.address(offset), child.rkey(), side.sge(landing, Long.BYTES)));
        assertThat(side.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_READ);
        return side.bytes().getLong(landing);
    }
}
