// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.write;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpState;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How long packets and messages may be (H3-5). */
class RequestLengthTest {

    @ParameterizedTest
    @CsvSource({
        "FIRST, 0, no", "FIRST, 1, no", "FIRST, 255, no", "FIRST, 256, yes", "FIRST, 257, no", "FIRST, 512, no",
        "MIDDLE, 0, no", "MIDDLE, 1, no", "MIDDLE, 255, no", "MIDDLE, 256, yes", "MIDDLE, 257, no", "MIDDLE, 512, no",
        "LAST, 0, no", "LAST, 1, yes", "LAST, 255, yes", "LAST, 256, yes", "LAST, 257, no", "LAST, 512, no",
        "ONLY, 0, yes", "ONLY, 1, yes", "ONLY, 255, yes", "ONLY, 256, yes", "ONLY, 257, no", "ONLY, 512, no"
    })
    @Rule("H3-5")
    void payloadFitsThePlaceOfThePacketInItsMessage(Opcode.Position position, int lengthBytes, String fits) {
        for (Opcode.Kind kind : new Opcode.Kind[] {Opcode.Kind.SEND, Opcode.Kind.RDMA_WRITE}) {
            for (boolean immediate : new boolean[] {false, true}) {
                if (immediate && (position == Opcode.Position.FIRST || position == Opcode.Position.MIDDLE)) {
                    continue;
                }
                try (Dialogue it = Dialogue.begin()) {
                    judge(it, kind, position, immediate, lengthBytes, fits.equals("yes"));
                }
            }
        }
    }

    private static void judge(
            Dialogue it, Opcode.Kind kind, Opcode.Position position, boolean immediate, int lengthBytes, boolean fits) {
        it.postsReceive(1, it.side.sge(0, 4 * MTU));
        boolean starts = position == Opcode.Position.FIRST || position == Opcode.Position.ONLY;
        // The announced length is right for each packet: only its own length is judged here.
        int announced = switch (position) {
            case FIRST -> lengthBytes + 1;
            case MIDDLE -> MTU + lengthBytes + 1;
            case LAST -> MTU + Math.max(1, lengthBytes);
            case ONLY -> lengthBytes;
        };
        int psn = 0;
        if (!starts) {
            it.sends(announcing(
                    it, packet(opcode(kind, Opcode.Position.FIRST, false), psn++, pattern(0, MTU)), announced));
        }
        Packet packet = packet(opcode(kind, position, immediate), psn, pattern(0, lengthBytes))
                .ackRequest(true);
        it.sends(announcing(it, packet, announced));
        it.expects(fits ? ack(psn) : nak(psn, Syndrome.NAK_INVALID_REQUEST)).expectsNothing();
        assertState(it.side.qp, fits ? QpState.RTS : QpState.ERR);
    }

    private static Packet announcing(Dialogue it, Packet packet, int lengthBytes) {
        return packet.opcode().kind() == Opcode.Kind.RDMA_WRITE
                        && packet.opcode().startsMessage()
                ? packet.remoteAddress(it.side.address(8192))
                        .remoteKey(it.side.rkey())
                        .dmaLengthBytes(lengthBytes)
                : packet;
    }

    private static Opcode opcode(Opcode.Kind kind, Opcode.Position position, boolean immediate) {
        for (Opcode opcode : Opcode.values()) {
            if (opcode == opcode.base()
                    && opcode.kind() == kind
                    && opcode.position() == position
                    && opcode.hasImmediate() == immediate
                    && !opcode.has(Header.IETH)) {
                return opcode;
            }
        }
        throw new IllegalArgumentException(kind + " " + position);
    }

    @ParameterizedTest
    @EnumSource(PathMtu.class)
    @Rule({"TX-01", "H3-5"})
    void firstPacketIsAsLongAsThePathMtu(PathMtu mtu) {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withPathMtu(mtu))) {
            int bytes = 128 << mtu.ordinal() + 1;
            it.postsReceive(1, it.side.sge(0, 3 * bytes));
            it.sends(packet(Opcode.SEND_FIRST, 0, pattern(0, bytes)).ackRequest(true))
                    .expects(ack(0));
            it.sends(packet(Opcode.SEND_MIDDLE, 1, pattern(0, bytes - 1)))
                    .expects(nak(1, Syndrome.NAK_INVALID_REQUEST));
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 7", "8, 9", "0, 1", "1, 0"})
    @Rule({"H3-5", "MW-110"})
    void onlyPacketBringsWhatItAnnounces(int announced, int brought) {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(
                    write(Opcode.RDMA_WRITE_ONLY, 0, it.side.address(0), it.side.rkey(), announced, new byte[brought]));
            it.expects(nak(0, Syndrome.NAK_INVALID_REQUEST)).isUntouched(0, 16);
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @ParameterizedTest
    @CsvSource({"RDMA_WRITE_FIRST, 256, 256", "RDMA_WRITE_FIRST, 0, 256", "RDMA_WRITE_FIRST, 255, 256"})
    @Rule({"H3-5", "MW-110"})
    void firstPacketLeavesSomethingOfWhatItAnnounces(Opcode opcode, int announced, int brought) {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(write(opcode, 0, it.side.address(0), it.side.rkey(), announced, new byte[brought]));
            it.expects(nak(0, Syndrome.NAK_INVALID_REQUEST)).isUntouched(0, 256);
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RDMA_WRITE_MIDDLE, 300, 256",
        "RDMA_WRITE_MIDDLE, 512, 256", // the middle must leave something
        "RDMA_WRITE_LAST, 300, 43",
        "RDMA_WRITE_LAST, 300, 45",
        "RDMA_WRITE_LAST, 513, 256"
    })
    @Rule({"H3-5", "MW-110"})
    void laterPacketsBringWhatTheFirstAnnounced(Opcode opcode, int announced, int brought) {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(write(Opcode.RDMA_WRITE_FIRST, 0, it.side.address(0), it.side.rkey(), announced, new byte[MTU]));
            it.expectsNothing().sends(packet(opcode, 1, new byte[brought]));
            it.expects(nak(1, Syndrome.NAK_INVALID_REQUEST)).isUntouched(MTU, 3 * MTU);
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @Test
    @Rule({"MR-33", "H3-5"})
    void lengthAbove2To31IsInvalidAndOneOf2To31IsJudgedByItsKey() {
        for (int length : new int[] {0x8000_0001, 0xffff_ffff}) {
            try (Dialogue it = Dialogue.begin()) {
                it.sends(readRequest(0, it.side.address(0), it.side.rkey(), length));
                it.expects(nak(0, Syndrome.NAK_INVALID_REQUEST));
                assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            }
        }
        try (Dialogue it = Dialogue.begin()) {
            it.sends(readRequest(0, it.side.address(0), it.side.rkey(), 0x8000_0000));
            it.expects(nak(0, Syndrome.NAK_REMOTE_ACCESS));
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }
}
