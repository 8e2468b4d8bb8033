// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementDrop;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.ManualFabric;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.RefusalReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions and answers about refusals, in conversation with the test, which is the peer. */
class RefusalReasonsTest {

    private static final Gid PEER = Gid.ofGuid(0x99);
    private static final Gid OTHER = Gid.ofGuid(0x98);
    private static final int PEER_QP = 77;
    private static final int PSN = 100;
    private static final int QUEUE_KEY = 0x8001_0000;

    private final ManualFabric fabric = new ManualFabric().tellingReasons(true);
    private final RecordingTap tap = new RecordingTap();
    private final Device device =
            EmulatedDevice.open(fabric, "device", fabric.freshGuid(), DeviceProfile.STRICT_IBTA, tap);
    private final ManagementPort port = ((ManagedDevice) device).managementPort();
    private final Side side = side();

    private Side side() {
        Side made = new Side(device, QpCapabilities.USUAL);
        connect(made);
        return made;
    }

    private static void connect(Side side) {
        RcConnection.USUAL.readyToReceive(side.qp, new RcConnection.Endpoint(PEER, PEER_QP, PSN));
        RcConnection.USUAL.readyToSend(side.qp, PSN);
    }

    @AfterEach
    void close() {
        device.closeAll();
    }

    private static Packet packet(Octets mad) {
        Packet packet = new Packet()
                .begin(Opcode.UD_SEND_ONLY)
                .migRequest(false)
                .destQp(1)
                .sourceQp(1)
                .queueKey(QUEUE_KEY);
        packet.payload().add(ByteBuffer.wrap(mad.toBytes()), 0, mad.lengthBytes());
        return packet;
    }

    private static RefusalReason reasonIn(PacketRecord packet) {
        return RefusalReason.parse(Mad.parse(packet.payload()));
    }

    private void hears(Gid from, RefusalReason message) {
        fabric.deliver(from, packet(message.emit()));
    }

    private PacketRecord sent() {
        return Objects.requireNonNull(fabric.take(PEER));
    }

    /** The peer refuses a WRITE; returns its completion. */
    private WorkCompletion refused() {
        side.qp.postSend(SendWorkRequest.write(1, 0x1000, 7, side.sge(0, 8)));
        sent();
        fabric.deliver(PEER, to(Packets.nak(PSN, Syndrome.NAK_REMOTE_ACCESS)));
        WorkCompletion failed = side.sendCq.poll(1).get(0);
        assertThat(failed).hasStatus(WcStatus.REM_ACCESS_ERR);
        return failed;
    }

    private Packet to(Packet packet) {
        return packet.destQp(side.qp.number());
    }

    private long dropped() {
        return port.dropped(ManagementDrop.REASON);
    }

    @Test
    @Rule("MAD-09")
    void requesterAsksOnceBehindItsCompletionAndTheAnswerIsTheCause() {
        WorkCompletion failed = refused();
        assertThat(failed.explanation()).doesNotContain("caused by");
        RefusalReason question = reasonIn(sent());
        assertThat(question)
                .isEqualTo(RefusalReason.question(question.transactionId(), side.qp.number(), PEER_QP, PSN));
        assertThat(fabric.take(PEER)).isNull();

        hears(PEER, question.answer("MR-22", "WRITE of 8 bytes needs more"));
        assertThat(failed.explanation())
                .contains("caused by: qp 77 of " + PEER + " answers: WRITE of 8 bytes needs more [MR-22]");
        assertThat(tap.events(TraceEvent.CarrierReported.class))
                .singleElement()
                .satisfies(event -> assertThat(event.sentence()).contains("psn=100", "WRITE of 8 bytes needs more"));
        assertThat(dropped()).isZero();
    }

    @Test
    @Rule("MAD-10")
    void forgedAnswersAreDroppedAndCounted() {
        WorkCompletion failed = refused();
        RefusalReason asked = reasonIn(sent());
        RefusalReason good = asked.answer("MR-22", "good");
        hears(OTHER, good);
        hears(
                PEER,
                RefusalReason.question(asked.transactionId() + 1, side.qp.number(), PEER_QP, PSN)
                        .answer("MR-22", "bad"));
        hears(
                PEER,
                RefusalReason.question(asked.transactionId(), side.qp.number() + 1, PEER_QP, PSN)
                        .answer("MR-22", "bad"));
        hears(
                PEER,
                RefusalReason.question(asked.transactionId(), side.qp.number(), PEER_QP + 1, PSN)
                        .answer("MR-22", "bad"));
        hears(
                PEER,
                RefusalReason.question(asked.transactionId(), side.qp.number(), PEER_QP, PSN + 1)
                        .answer("MR-22", "bad"));
        hears(PEER, asked.answer("no such rule", "bad"));
        assertThat(dropped()).isEqualTo(6);
        assertThat(failed.explanation()).doesNotContain("caused by");
        hears(PEER, good);
        hears(PEER, asked.answer("MR-22", "later"));
        assertThat(dropped()).isEqualTo(7);
        assertThat(failed.explanation()).contains("answers: good").doesNotContain("later");
    }

    @Test
    @Rule("MAD-09")
    void peerThatNeverAnswersIsAskedThreeTimes() {
        for (int time = 1; time <= 5; time++) {
            refused();
            assertThat(fabric.take(PEER) != null).as("time " + time).isEqualTo(time <= 3);
            side.qp.modify(new QpAttributes().state(QpState.RESET));
            connect(side);
        }
    }

    /** Deliver a WRITE that is refused; returns the NAK. */
    private PacketRecord refuses(int rkey, long address) {
        Packet write = new Packet()
                .begin(Opcode.RDMA_WRITE_ONLY)
                .psn(PSN)
                .destQp(side.qp.number())
                .ackRequest(true)
                .remoteAddress(address)
                .remoteKey(rkey)
                .dmaLengthBytes(8);
        write.payload().add(ByteBuffer.allocate(8), 0, 8);
        fabric.deliver(PEER, write);
        return sent();
    }

    private RefusalReason question() {
        return RefusalReason.question(5, PEER_QP, side.qp.number(), PSN);
    }

    @Test
    @Rule("MAD-09")
    void responderTellsWhoWasRefusedBehindTheNak() {
        assertThat(refuses(side.rkey(), side.address(Side.REGION_BYTES)).opcode())
                .isEqualTo(Opcode.ACKNOWLEDGE);
        assertThat(fabric.take(PEER)).isNull();
        hears(PEER, question());
        RefusalReason answer = reasonIn(sent());
        assertThat(answer).isEqualTo(question().answer("MR-22", answer.sentence()));
        assertThat(answer.sentence()).contains("RDMA_WRITE of 8 bytes at ");
    }

    @Test
    @Rule("MAD-10")
    void questionsAboutOthersRequestsAreDroppedAndCounted() {
        hears(PEER, question());
        refuses(7, 0);
        hears(OTHER, question());
        hears(PEER, RefusalReason.question(5, PEER_QP + 1, side.qp.number(), PSN));
        hears(PEER, RefusalReason.question(5, PEER_QP, side.qp.number() + 1, PSN));
        hears(PEER, RefusalReason.question(5, PEER_QP, side.qp.number(), PSN + 1));
        assertThat(dropped()).isEqualTo(5);
        assertThat(fabric.take(PEER)).isNull();
        assertThat(fabric.take(OTHER)).isNull();
    }

    /** The owner is told that the index is in use, by what, and that a key is a region's local one: a peer that guesses is not. */
    @ParameterizedTest
    @ValueSource(strings = {"variant", "local", "domain", "unused"})
    @Rule("MAD-09")
    void whoGuessesKeysLearnsNothingOfOthers(String kind) {
        MemoryRegion foreign =
                device.allocatePd().register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        int guess = switch (kind) {
            case "variant" -> side.rkey() ^ 0xff;
            case "local" -> side.region.lkey();
            case "domain" -> foreign.rkey();
            default -> 0x0007_7700;
        };
        refuses(guess, foreign.address());
        hears(PEER, question());
        assertThat(reasonIn(sent()))
                .isEqualTo(question()
                        .answer("KEY-04", "the key of the request names no memory that this queue pair may use"));
    }

    @Test
    @Rule({"MAD-05", "MAD-09"})
    void withoutTheOptionNothingIsAskedAndNothingIsTold() {
        ManualFabric silent = new ManualFabric();
        try (var one = EmulatedDevice.open(silent, "one", silent.freshGuid(), DeviceProfile.STRICT_IBTA, null)) {
            silent.deliver(PEER, packet(question().emit()));
            assertThat(silent.take(PEER)).isNull();
            assertThat(((ManagedDevice) one).managementPort().dropped(ManagementDrop.METHOD))
                    .isEqualTo(1);
        }
    }
}
