// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.ManualFabric;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Answers on the fast path, of an honest peer and of one that lies: they do what the same packets do, to the queue pair that they are for
 * and to no other.
 */
@Tag("smoke")
class PlainAnswerTest {

    private static final Gid STRANGER = Gid.ofGuid(0x98);
    private static final int OTHER_PEER_QP = Dialogue.PEER_QP + 1;
    private static final int LENGTH_BYTES = 8;
    private static final int FIRST_PSN = 7;

    /** What comes for a READ of 8 B, a fetch-and-add and another READ of 8 B, and how many answers take the fast path. */
    private enum Answered {
        RIGHT(3, read(0, LENGTH_BYTES), sum(1), read(2, LENGTH_BYTES)),
        NOT_YET(0),
        OF_THE_SECOND_ONLY(0, sum(1)),
        OF_THE_LAST_ONLY(0, read(2, LENGTH_BYTES)),
        IN_THE_WRONG_ORDER(1, sum(1), read(0, LENGTH_BYTES)),
        TWICE(2, read(0, LENGTH_BYTES), read(0, LENGTH_BYTES), sum(1), sum(1)),
        FOR_WHAT_WAS_NOT_ASKED(2, read(0, LENGTH_BYTES), sum(1), read(3, LENGTH_BYTES), sum(4)),
        WITH_AN_OLD_PSN(0, read(-1, LENGTH_BYTES)),
        WITH_A_PSN_FAR_AWAY(0, read(1 << 22, LENGTH_BYTES), sum(-(1 << 22))),
        TOO_SHORT(0, read(0, LENGTH_BYTES - 1)),
        TOO_LONG(0, read(0, LENGTH_BYTES + 1)),
        OF_NOTHING(0, read(0, 0)),
        LONGER_THAN_A_PACKET(0, read(0, Dialogue.MTU + 1)),
        AS_AN_ATOMIC(0, sum(0)),
        AS_A_READ(1, read(0, LENGTH_BYTES), read(1, LENGTH_BYTES)),
        NEGATIVE(0, read(0, LENGTH_BYTES).syndrome(Syndrome.NAK_REMOTE_ACCESS)),
        WITH_CREDIT(0, read(0, LENGTH_BYTES).syndrome(3), sum(1).syndrome(3)),
        OF_ANOTHER_PARTITION(0, read(0, LENGTH_BYTES).pkey(0x7fff));

        private final int plain;
        private final List<Packet> packets;

        Answered(int plain, Packet... packets) {
            this.plain = plain;
            this.packets = List.of(packets);
        }
    }

    /** What comes for a WRITE, a SEND and a READ of 8 B, and how many ACKs take the fast path. */
    private enum Acknowledged {
        EACH(2, ack(0), ack(1)),
        BOTH_AT_ONCE(1, ack(1)),
        TWICE(1, ack(1), ack(1)),
        IN_THE_WRONG_ORDER(1, ack(1), ack(0)),
        WITHOUT_AN_ANSWER(1, ack(2)),
        WHAT_WAS_NOT_ASKED(0, ack(3)),
        WITH_AN_OLD_PSN(0, ack(-1)),
        WITH_A_PSN_FAR_AWAY(0, ack(1 << 22)),
        WITH_CREDIT(0, ack(0).syndrome(3)),
        NOT(1, ack(0), ack(1).syndrome(Syndrome.NAK_REMOTE_ACCESS)),
        AFTER_A_REFUSAL(0, ack(0).syndrome(Syndrome.NAK_REMOTE_ACCESS), ack(1)),
        BEHIND_A_GAP(1, ack(0).syndrome(Syndrome.NAK_PSN_SEQUENCE), ack(1)),
        WITHOUT_A_MEANING(0, ack(0).syndrome(0x40)),
        OF_ANOTHER_PARTITION(0, ack(0).pkey(0x7fff));

        private final int plain;
        private final List<Packet> packets;

        Acknowledged(int plain, Packet... packets) {
            this.plain = plain;
            this.packets = List.of(packets);
        }
    }

    private static Packet ack(int after) {
        return Packets.ack(FIRST_PSN + after & 0xff_ffff);
    }

    private static Packet read(int after, int lengthBytes) {
        return Packets.readResponse(
                Opcode.RDMA_READ_RESPONSE_ONLY, FIRST_PSN + after & 0xff_ffff, Packets.pattern(3, lengthBytes));
    }

    private static Packet sum(int after) {
        return Packets.packet(Opcode.ATOMIC_ACKNOWLEDGE, FIRST_PSN + after & 0xff_ffff)
                .syndrome(Syndrome.ACK_NO_CREDIT)
                .originalData(0x1122_3344_5566_7788L);
    }

    @ParameterizedTest
    @EnumSource
    void answerDoesWhatItsPacketDoes(Answered answered) {
        assertSame(answered.plain, Dialogue.PEER, false, answered);
    }

    @ParameterizedTest
    @EnumSource
    void answerOfAStrangerDoesNothing(Answered answered) {
        assertSame(0, STRANGER, false, answered);
    }

    @ParameterizedTest
    @EnumSource
    void answerForWhatIsNoLongerRegisteredFailsAsItsPacketDoes(Answered answered) {
        assertSame(0, Dialogue.PEER, true, answered);
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgementDoesWhatItsPacketDoes(Acknowledged acknowledged) {
        assertSame(acknowledged.plain, Dialogue.PEER, false, Asker::askForAcknowledgements, acknowledged.packets);
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgementByAStrangerDoesNothing(Acknowledged acknowledged) {
        assertSame(0, STRANGER, false, Asker::askForAcknowledgements, acknowledged.packets);
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgementMeetsAnswersAsItsPacketDoes(Acknowledged acknowledged) {
        try (Asker byPacket = new Asker(false);
                Asker asker = new Asker(true)) {
            assertThat(asker.run(Dialogue.PEER, false, Asker::askForAnswers, acknowledged.packets))
                    .isEqualTo(byPacket.run(Dialogue.PEER, false, Asker::askForAnswers, acknowledged.packets));
        }
    }

    private static void assertSame(int plain, Gid from, boolean deregistered, Answered answered) {
        assertSame(plain, from, deregistered, Asker::askForAnswers, answered.packets);
    }

    private static void assertSame(
            int plain, Gid from, boolean deregistered, Consumer<Asker> asks, List<Packet> packets) {
        List<String> expected;
        try (Asker asker = new Asker(false)) {
            expected = asker.run(from, deregistered, asks, packets);
            assertThat(asker.context.fastPathAnswersTaken()).isZero();
        }
        try (Asker asker = new Asker(true)) {
            assertThat(asker.run(from, deregistered, asks, packets)).isEqualTo(expected);
            assertThat(asker.context.fastPathAnswersTaken()).isEqualTo(plain);
        }
    }

    @Test
    void answersThatTheDeviceGivesAreThePackets() {
        List<PacketRecord> packets;
        try (Asker asker = new Asker(false)) {
            packets = asker.answer();
            assertThat(asker.context.fastPathAnswersSent()).isZero();
        }
        try (Asker asker = new Asker(true)) {
            assertThat(asker.answer()).isEqualTo(packets);
            // Four to READs and atomics, neither that of nothing nor that of two packets; three ACKs, of a WRITE, of
            // its repetition and of
            // the last one; no NAK.
            assertThat(asker.context.fastPathAnswersSent()).isEqualTo(4 + 3);
        }
    }

    /** What a READ returns is what its packet would, whatever happens between the request and the answer. */
    @ParameterizedTest
    @EnumSource
    void answerIsJudgedWhenItIsGiven(Meanwhile meanwhile) {
        List<PacketRecord> packets;
        try (Asker asker = new Asker(false)) {
            packets = asker.answerAfter(meanwhile);
        }
        try (Asker asker = new Asker(true)) {
            assertThat(asker.answerAfter(meanwhile)).isEqualTo(packets);
            assertThat(asker.context.fastPathAnswersSent()).isEqualTo(meanwhile.plain);
        }
    }

    /** What happens while an answer waits, and how many answers take the fast path. */
    private enum Meanwhile {
        NOTHING(1) {
            @Override
            void happens(Asker asker) {}
        },
        MEMORY_CHANGES(1) {
            @Override
            void happens(Asker asker) {
                asker.side.bytes().putLong(0, 1);
            }
        },
        REGION_IS_CLOSED(0) {
            @Override
            void happens(Asker asker) {
                asker.side.region.close();
            }
        },
        READING_IS_FORBIDDEN(0) {
            @Override
            void happens(Asker asker) {
                asker.side.region.reregister(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            }
        },
        QUEUE_PAIR_FAILS(0) {
            @Override
            void happens(Asker asker) {
                asker.deliver(Packets.readRequest(FIRST_PSN + 1, asker.side.address(0), 0x77, LENGTH_BYTES));
            }
        },
        WORD_IS_WRITTEN(0) {
            @Override
            void happens(Asker asker) {
                asker.deliver(Packets.packet(Opcode.ATOMIC_WRITE, FIRST_PSN + 1, new byte[LENGTH_BYTES])
                        .remoteAddress(asker.side.address(0))
                        .remoteKey(asker.side.rkey())
                        .dmaLengthBytes(LENGTH_BYTES)
                        .ackRequest(true));
            }
        },
        ASKED_AGAIN(1) {
            @Override
            void happens(Asker asker) {
                asker.deliver(Packets.readRequest(FIRST_PSN, asker.side.address(0), asker.side.rkey(), LENGTH_BYTES));
            }
        },
        DRAINED(0) {
            @Override
            void happens(Asker asker) {
                asker.side.qp.modify(new QpAttributes().state(QpState.SQD), QpAttributeMask.STATE);
            }
        };

        private final int plain;

        Meanwhile(int plain) {
            this.plain = plain;
        }

        abstract void happens(Asker asker);
    }

    @Test
    void answerThroughAWindowThatWasBoundAnewUnderTheSameKeyIsRefused() {
        List<PacketRecord> packets;
        try (Asker asker = new Asker(false)) {
            packets = asker.answerThroughReboundWindow();
        }
        try (Asker asker = new Asker(true)) {
            assertThat(asker.answerThroughReboundWindow()).isEqualTo(packets);
        }
        assertThat(packets)
                .singleElement()
                .satisfies(nak -> assertThat(nak.toPacket().syndrome()).isEqualTo(Syndrome.NAK_REMOTE_ACCESS));
    }

    /** A device with two queue pairs, of which one asks and the other must never notice. */
    private static final class Asker implements AutoCloseable {

        private final ManualFabric fabric = new ManualFabric();
        private final Verbatim door = Verbatim.over(fabric);
        private final Device device = door.open("device");
        private final DeviceContext context = ((EmulatedDevice) device).context();
        private final Side side;
        private final Side other;
        private final List<PacketRecord> sent = new ArrayList<>();
        private final List<String> seen = new ArrayList<>();

        Asker(boolean fastPath) {
            // Both ways at the same addresses.
            new AddressSpace().enter();
            side = new Side(device, QpCapabilities.USUAL);
            other = new Side(device, QpCapabilities.USUAL);
            fabric.fastPath(fastPath);
            connect(side.qp, Dialogue.PEER_QP);
            connect(other.qp, OTHER_PEER_QP);
            side.bytes().put(0, Packets.pattern(0, Side.REGION_BYTES));
        }

        private static void connect(QueuePair qp, int peerQp) {
            Dialogue.USUAL.readyToReceive(qp, new RcConnection.Endpoint(Dialogue.PEER, peerQp, FIRST_PSN));
            Dialogue.USUAL.readyToSend(qp, FIRST_PSN);
        }

        void askForAnswers() {
            side.qp.postSend(SendWorkRequest.read(1, 0x1000, 0x105, side.sge(64, LENGTH_BYTES)));
            side.qp.postSend(SendWorkRequest.fetchAndAdd(2, 0x1000, 0x105, 1, side.sge(128, LENGTH_BYTES)));
            side.qp.postSend(SendWorkRequest.read(3, 0x1000, 0x105, side.sge(192, LENGTH_BYTES)));
        }

        void askForAcknowledgements() {
            side.qp.postSend(SendWorkRequest.write(1, 0x1000, 0x105, side.sge(64, LENGTH_BYTES)));
            side.qp.postSend(SendWorkRequest.send(2, side.sge(128, LENGTH_BYTES)));
            side.qp.postSend(SendWorkRequest.read(3, 0x1000, 0x105, side.sge(192, LENGTH_BYTES)));
        }

        /** What can be seen of both queue pairs when these packets were the answer to what one of them asked. */
        List<String> run(Gid from, boolean deregistered, Consumer<Asker> asks, List<Packet> packets) {
            asks.accept(this);
            other.qp.postSend(SendWorkRequest.read(4, 0x1000, 0x105, other.sge(0, LENGTH_BYTES)));
            takeAll(sent);
            String memory = memoryOf(other);
            if (deregistered) {
                side.region.close();
            }
            for (Packet packet : packets) {
                fabric.deliver(from, packet.destQp(side.qp.number()));
                takeAll(sent);
                poll();
            }
            assertThat(memoryOf(other)).isEqualTo(memory);
            assertThat(other.sendCq.poll(1)).isEmpty();
            // By a packet: this answer gives credit.
            Packet answer = Packets.readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, FIRST_PSN, new byte[LENGTH_BYTES]);
            fabric.deliver(Dialogue.PEER, answer.destQp(other.qp.number()).syndrome(1));
            assertThat(other.sendCq.poll(1)).hasSize(1).allMatch(WorkCompletion::isSuccess);
            seen.add(sent + " " + side.qp.state() + " " + memoryOf(side) + " " + device.counters());
            return seen;
        }

        /** The packets with which the device answers requests of all kinds. */
        List<PacketRecord> answer() {
            long at = side.address(0);
            int key = side.rkey();
            List<PacketRecord> answers = new ArrayList<>();
            int psn = FIRST_PSN;
            for (Packet request : List.of(
                    Packets.readRequest(psn, at, key, LENGTH_BYTES),
                    Packets.fetchAdd(psn + 1, at + 8, key, 1),
                    Packets.readRequest(psn + 2, at, key, 0),
                    Packets.readRequest(psn + 3, at + 1, key, Dialogue.MTU),
                    Packets.readRequest(psn + 4, at, key, Dialogue.MTU + 1),
                    Packets.compareSwap(psn + 6, at + 8, key, 0, 1),
                    writeOf(psn + 7, at, key),
                    writeOf(psn + 7, at, key),
                    writeOf(psn + 9, at, key),
                    writeOf(psn + 8, at, key),
                    Packets.readRequest(psn + 9, at, key + 1, LENGTH_BYTES))) {
                fabric.deliver(Dialogue.PEER, request.destQp(side.qp.number()));
                takeAll(answers);
            }
            return answers;
        }

        private static Packet writeOf(int psn, long at, int key) {
            return Packets.write(Opcode.RDMA_WRITE_ONLY, psn, at, key, LENGTH_BYTES, Packets.pattern(5, LENGTH_BYTES))
                    .ackRequest(true);
        }

        /** The answers to a READ before which something has happened. */
        List<PacketRecord> answerAfter(Meanwhile meanwhile) {
            deliver(Packets.readRequest(FIRST_PSN, side.address(0), side.rkey(), LENGTH_BYTES));
            meanwhile.happens(this);
            List<PacketRecord> answers = new ArrayList<>();
            takeAll(answers);
            return answers;
        }

        /** The answer to a READ by the key of a window, which is taken back and bound for the other queue pair before it is given. */
        List<PacketRecord> answerThroughReboundWindow() {
            MemoryRegion region =
                    side.pd.register(Memory.allocate(LENGTH_BYTES), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
            MemoryWindow window = side.pd.allocateWindow(MemoryWindowType.TYPE_2);
            QueuePair another = side.newQueuePair();
            connect(another, OTHER_PEER_QP + 1);
            int key = bind(side.qp, window, region);
            assertThat(fabric.take(Dialogue.PEER)).isNull();
            // Both take their turns in line, before the responder.
            side.qp.postSend(SendWorkRequest.localInvalidate(2, key));
            assertThat(bind(another, window, region)).isEqualTo(key);
            deliver(Packets.readRequest(FIRST_PSN, region.address(), key, LENGTH_BYTES));
            List<PacketRecord> answers = new ArrayList<>();
            takeAll(answers);
            return answers;
        }

        private static int bind(QueuePair by, MemoryWindow window, MemoryRegion region) {
            BindInfo all = new BindInfo(region, region.address(), LENGTH_BYTES, AccessFlags.REMOTE_READ);
            SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 5, all);
            by.postSend(bind);
            return bind.boundKey();
        }

        private void deliver(Packet packet) {
            fabric.deliver(Dialogue.PEER, packet.destQp(side.qp.number()));
        }

        private void takeAll(List<PacketRecord> taken) {
            for (PacketRecord next = fabric.take(Dialogue.PEER); next != null; next = fabric.take(Dialogue.PEER)) {
                taken.add(next);
            }
        }

        private void poll() {
            for (WorkCompletion completion : side.sendCq.poll(8)) {
                seen.add(completion.toString());
            }
        }

        private static String memoryOf(Side side) {
            byte[] bytes = new byte[256];
            side.bytes().get(0, bytes);
            return HexFormat.of().formatHex(bytes);
        }

        @Override
        public void close() {
            door.close();
            AddressSpace.leave();
        }
    }
}
