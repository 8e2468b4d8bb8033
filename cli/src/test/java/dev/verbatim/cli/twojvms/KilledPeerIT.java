// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.twojvms;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.Decided;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.transport.netty.ConnectionData;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.AckTimeout;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that is killed in the middle of a stream of WRITEs. */
@Tag("smoke")
@Timeout(600)
@LongTest
class KilledPeerIT {

    private static final int TIMEOUT_CODE = 14;
    private static final int RETRIES = 3;
    private static final int FOR_EVER = 7;
    private static final int RNR_TIMER_CODE = 12;

    /** When the last retry is given up, if each waits for the nominal time. */
    private static final long NOMINAL_NANOS = (RETRIES + 1) * AckTimeout.nanos(TIMEOUT_CODE);

    private static final int FIRST_PSN = 77;
    private static final int OUTSTANDING = 32;
    private static final int WRITE_BYTES = 16 * 1024;
    private static final int WRITES_BEFORE_THE_KILL = 200;

    /** More than the region that the survivor has registered, and less than the buffers of one connection. */
    private static final int LESS_THAN_A_CONNECTION_BYTES = 2 * Side.REGION_BYTES;

    private final RecordingTap tap = new RecordingTap();
    private long posted;

    @Test
    @Rule({"WC-36", "RT-01", "RT-02", "QP-22", "WC-05"})
    void survivorGivesUpAfterItsRetriesAndNotBeforeAndFlushesTheRest() {
        long directBytesBefore = directBytes();
        NettyFabric fabric = NettyFabric.open();
        try (Jvm victim = Jvm.start(Victim.class);
                Verbatim rdma = Verbatim.over(fabric).tap(tap)) {
            Side survivor = new Side(rdma.open("survivor"), QpCapabilities.USUAL);
            SendWorkRequest write = connect(fabric, survivor, Integer.parseInt(victim.await("port=(\\d+)")));
            assertThat(directBytes() - directBytesBefore).isGreaterThan(LESS_THAN_A_CONNECTION_BYTES);

            List<WorkCompletion> afterSuccesses = streamUntilFailure(survivor, write, victim);

            assertThat(afterSuccesses.get(0))
                    .hasStatus(WcStatus.RETRY_EXC_ERR)
                    .isExplainedBy("WC-36", "ACK timeout", "retry_cnt=3 is used up");
            assertThat(afterSuccesses).hasSize(OUTSTANDING);
            for (WorkCompletion flushed : afterSuccesses.subList(1, OUTSTANDING)) {
                assertThat(flushed).hasStatus(WcStatus.WR_FLUSH_ERR).isExplainedBy("QP-22");
            }
            assertThat(afterSuccesses).extracting(WorkCompletion::id).isSorted();
            assertState(survivor.qp, QpState.ERR);
            assertThat(silenceNanos()).isGreaterThanOrEqualTo(NOMINAL_NANOS);
            assertThat(timeoutsInSilence()).isEqualTo(RETRIES + 1);
            post(survivor, write);
            assertThat(survivor.sent()).hasStatus(WcStatus.WR_FLUSH_ERR);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("verbatim-"));
        assertGivenBack(directBytesBefore);
    }

    /** Newer Javas leave it to the collector to free buffers; what something still holds is not freed by asking it. */
    private static void assertGivenBack(long directBytesBefore) {
        long startNanos = System.nanoTime();
        while (directBytes() - directBytesBefore >= LESS_THAN_A_CONNECTION_BYTES) {
            assertThat(System.nanoTime() - startNanos)
                    .as("buffers are still held")
                    .isLessThan(Await.LIMIT.toNanos());
            System.gc();
        }
    }

    /** Connects the two, and returns the request that the stream is made of. */
    private static SendWorkRequest connect(NettyFabric fabric, Side survivor, int port) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (OutOfBand line = OutOfBand.connect(new InetSocketAddress(loopback, port), Await.LIMIT.toNanos())) {
            ConnectionData theirs = line.exchange(Victim.line(survivor, FIRST_PSN), Await.LIMIT.toNanos());
            fabric.dial(new InetSocketAddress(loopback, (int) theirs.number(ConnectionData.FABRIC_PORT)));
            RcConnection connection = RcConnection.USUAL.withRetries(TIMEOUT_CODE, RETRIES, FOR_EVER, RNR_TIMER_CODE);
            connection.readyToReceive(survivor.qp, Victim.endpoint(theirs));
            connection.readyToSend(survivor.qp, FIRST_PSN);
            line.exchange(ConnectionData.empty(), Await.LIMIT.toNanos());
            return SendWorkRequest.write(
                    0,
                    theirs.number(ConnectionData.ADDRESS),
                    (int) theirs.number(ConnectionData.RKEY),
                    survivor.sge(0, WRITE_BYTES));
        }
    }

    /** Keeps as many WRITEs under way as there is room for, kills the peer, and returns what follows the successes. */
    private List<WorkCompletion> streamUntilFailure(Side survivor, SendWorkRequest write, Jvm victim) {
        for (int i = 0; i < OUTSTANDING; i++) {
            post(survivor, write);
        }
        WorkCompletion completion = survivor.sent();
        for (int successes = 1; completion.isSuccess(); successes++) {
            if (successes == WRITES_BEFORE_THE_KILL) {
                victim.kill();
            }
            post(survivor, write);
            completion = survivor.sent();
        }
        List<WorkCompletion> rest = new ArrayList<>(List.of(completion));
        while (rest.size() < OUTSTANDING) {
            rest.add(survivor.sent());
        }
        return rest;
    }

    private void post(Side survivor, SendWorkRequest write) {
        survivor.qp.postSend(
                SendWorkRequest.write(++posted, write.remoteAddress(), write.remoteKey(), write.element(0)));
    }

    /** From the last sign of life to the failure, by the survivor's own clock. */
    private long silenceNanos() {
        return tap.events(Completed.class).stream()
                        .filter(completed -> completed.status() == WcStatus.RETRY_EXC_ERR)
                        .findFirst()
                        .orElseThrow()
                        .timeNanos()
                - lastSignOfLifeNanos();
    }

    /** How often the survivor waited in vain after the last sign of life. */
    private long timeoutsInSilence() {
        long lastSignNanos = lastSignOfLifeNanos();
        return tap.events(Decided.class).stream()
                .filter(decided -> decided.rule().equals("RT-01") && decided.timeNanos() > lastSignNanos)
                .count();
    }

    /** Direct buffers that are in use in this JVM. */
    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow()
                .getMemoryUsed();
    }

    private long lastSignOfLifeNanos() {
        List<PacketReceived> received = tap.events(PacketReceived.class);
        return received.get(received.size() - 1).timeNanos();
    }
}
