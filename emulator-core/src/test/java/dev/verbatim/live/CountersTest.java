// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.rnr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.RnrTimer;
import dev.verbatim.wire.Syndrome;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each counter counts what its name says, and nothing else counts with it. */
class CountersTest {

    private static final long TIMEOUT = AckTimeout.nanos(8);
    private static final int CODE = 12;

    /** What has changed since it was asked last. */
    private static final class Changes {

        private final Device device;
        private Map<DeviceCounter, Long> before;

        Changes(Device device) {
            this.device = device;
            this.before = device.counters();
        }

        Changes(Dialogue it) {
            this(it.side.device);
        }

        void are(Object... namesAndNumbers) {
            Map<DeviceCounter, Long> now = device.counters();
            Map<DeviceCounter, Long> changes = new EnumMap<>(DeviceCounter.class);
            now.forEach((counter, value) -> {
                long change = value - before.getOrDefault(counter, 0L);
                if (change != 0) {
                    changes.put(counter, change);
                }
            });
            before = now;
            Map<DeviceCounter, Long> expected = new EnumMap<>(DeviceCounter.class);
            for (int i = 0; i < namesAndNumbers.length; i += 2) {
                expected.put((DeviceCounter) namesAndNumbers[i], ((Integer) namesAndNumbers[i + 1]).longValue());
            }
            assertThat(changes).isEqualTo(expected);
        }
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(0, 8)).ackRequest(true);
    }

    private static SendWorkRequest send(Dialogue it, int id) {
        return SendWorkRequest.send(id, it.side.sge(0, 8));
    }

    @Test
    void newDeviceHasCountedNothing() {
        try (Verbatim rdma = Verbatim.inProcess()) {
            assertThat(rdma.open("new").counters())
                    .containsOnlyKeys(DeviceCounter.values())
                    .allSatisfy((counter, value) -> assertThat(value).isZero());
        }
    }

    @Test
    void sendIsOutstandingUntilItsAckAndThenOneOfTheSends() {
        try (Dialogue it = Dialogue.begin()) {
            Changes changes = new Changes(it);
            it.posts(send(it, 1)).expects(sendOnly(0));
            changes.are(DeviceCounter.SENT_PKTS, 1, DeviceCounter.OUTSTANDING, 1, DeviceCounter.TIMERS, 1);
            it.sends(ack(0));
            changes.are(
                    DeviceCounter.RCVD_PKTS,
                    1,
                    DeviceCounter.RDMA_SENDS,
                    1,
                    DeviceCounter.OUTSTANDING,
                    -1,
                    DeviceCounter.TIMERS,
                    -1);
        }
    }

    @Test
    void unsignaledSendCountsAndWriteDoesNot() {
        try (Dialogue it = Dialogue.begin()) {
            Changes changes = new Changes(it);
            it.posts(
                            send(it, 1).unsignaled(),
                            SendWorkRequest.write(2, it.side.address(0), it.side.rkey(), it.side.sge(0, 8)))
                    .takeAll();
            it.sends(ack(1));
            changes.are(DeviceCounter.SENT_PKTS, 2, DeviceCounter.RCVD_PKTS, 1, DeviceCounter.RDMA_SENDS, 1);
        }
    }

    @Test
    void receiveThatCompletesCountsAndRepeatedRequestIsADuplicate() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, 8));
            Changes changes = new Changes(it);
            it.sends(sendOnly(0)).expects(ack(0));
            changes.are(DeviceCounter.RCVD_PKTS, 1, DeviceCounter.SENT_PKTS, 1, DeviceCounter.RDMA_RECVS, 1);
            it.sends(sendOnly(0)).expects(ack(0));
            changes.are(DeviceCounter.RCVD_PKTS, 1, DeviceCounter.SENT_PKTS, 1, DeviceCounter.DUPLICATE_REQUEST, 1);
        }
    }

    @Test
    void gapCountsOnceHoweverManyPacketsAreBehindIt() {
        try (Dialogue it = Dialogue.begin()) {
            Changes changes = new Changes(it);
            it.sends(sendOnly(1), sendOnly(2)).expects(nak(0, Syndrome.NAK_PSN_SEQUENCE));
            changes.are(DeviceCounter.RCVD_PKTS, 2, DeviceCounter.SENT_PKTS, 1, DeviceCounter.OUT_OF_SEQ_REQUEST, 1);
        }
    }

    @Test
    void responderWithoutReceiveCountsItsRnrNak() {
        try (Dialogue it = Dialogue.begin()) {
            Changes changes = new Changes(it);
            it.sends(sendOnly(0)).expects(rnr(0, CODE));
            changes.are(DeviceCounter.RCVD_PKTS, 1, DeviceCounter.SENT_PKTS, 1, DeviceCounter.SEND_RNR_ERR, 1);
        }
    }

    @Test
    void requesterCountsRnrNaksAndTheEndOfItsRetries() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 7, 1, CODE))) {
            it.posts(send(it, 1)).takeAll();
            Changes changes = new Changes(it);
            it.sends(rnr(0, CODE));
            changes.are(DeviceCounter.RCVD_PKTS, 1, DeviceCounter.RCVD_RNR_ERR, 1);
            it.after(RnrTimer.nanos(CODE)).expects(sendOnly(0));
            changes.are(DeviceCounter.SENT_PKTS, 1);
            it.sends(rnr(0, CODE));
            changes.are(
                    DeviceCounter.RCVD_PKTS,
                    1,
                    DeviceCounter.RCVD_RNR_ERR,
                    1,
                    DeviceCounter.RETRY_RNR_EXCEEDED_ERR,
                    1,
                    DeviceCounter.OUTSTANDING,
                    -1,
                    DeviceCounter.TIMERS,
                    -1);
        }
    }

    @Test
    void requesterCountsNaksOfGapsAndEachRetry() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 1, 7, CODE))) {
            it.posts(send(it, 1), send(it, 2)).takeAll();
            Changes changes = new Changes(it);
            it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE)).expects(sendOnly(0), sendOnly(1));
            changes.are(
                    DeviceCounter.RCVD_PKTS,
                    1,
                    DeviceCounter.SENT_PKTS,
                    2,
                    DeviceCounter.RCVD_SEQ_ERR,
                    1,
                    DeviceCounter.COMPLETER_RETRY_ERR,
                    1);
            it.after(4 * TIMEOUT);
            changes.are(DeviceCounter.RETRY_EXCEEDED_ERR, 1, DeviceCounter.OUTSTANDING, -2, DeviceCounter.TIMERS, -1);
        }
    }

    @Test
    void linkThatIsReliableAnewWasCut() {
        try (Dialogue it = Dialogue.begin()) {
            Changes changes = new Changes(it);
            it.linkIsReliable(true);
            changes.are(DeviceCounter.LINK_CUTS, 1);
        }
    }

    /** Shows what a device gave its port to tell it of the carrier. */
    private static final class TappedFabric implements Fabric {

        private final Fabric carrier = new InProcessFabric();

        @Nullable
        PacketSink sink;

        @Override
        public FabricPort attach(Gid gid, PacketSink given) {
            sink = given;
            return carrier.attach(gid, given);
        }

        @Override
        public long freshGuid() {
            return carrier.freshGuid();
        }

        @Override
        public void close() {
            carrier.close();
        }
    }

    @Test
    void carrierThatGoesAwayFailsOrIsCongestedIsCounted() {
        TappedFabric fabric = new TappedFabric();
        try (Verbatim rdma = Verbatim.over(fabric)) {
            Device device = rdma.open("device");
            PacketSink sink = java.util.Objects.requireNonNull(fabric.sink);
            Changes changes = new Changes(device);
            sink.carrierChanged(false);
            sink.carrierChanged(false);
            sink.carrierChanged(true);
            changes.are(DeviceCounter.LINK_DOWNED, 1);
            sink.carrierReported(device.gid(), PacketSink.CONGESTION_NOTIFICATION, "");
            changes.are(DeviceCounter.CNPS_DROPPED, 1);
            sink.carrierReported(device.gid(), PacketSink.SOCKET, "");
            changes.are(DeviceCounter.SEND_ERR, 1);
            sink.carrierReported(device.gid(), "ICRC", "");
            changes.are();
        }
    }

    @Test
    void closedDeviceKeepsWhatItHadCounted() {
        Device device;
        try (RcPair pair = RcPair.inProcess()) {
            device = pair.left.device;
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
            pair.left.qp.postSend(SendWorkRequest.send(2, pair.left.sge(0, 8)));
            assertThat(pair.left.sendCq.poll(1)).hasSize(1);
        }
        assertThat(device.counters())
                .containsEntry(DeviceCounter.SENT_PKTS, 1L)
                .containsEntry(DeviceCounter.RCVD_PKTS, 1L)
                .containsEntry(DeviceCounter.RDMA_SENDS, 1L);
    }

    @Test
    void namesAreThoseOfRdmaStatistic() {
        assertThat(DeviceCounter.SENT_PKTS.statisticName()).isEqualTo("sent_pkts");
        assertThat(DeviceCounter.RETRY_RNR_EXCEEDED_ERR.statisticName()).isEqualTo("retry_rnr_exceeded_err");
    }
}
