// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.testing.Packets;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.Syndrome;
import dev.verbatim.wire.Transport;
import java.util.Arrays;

/** The peer as it answers: what was asked, or something near it. */
final class Answerer {

    private static final int MTU = Estate.MTU;
    private static final Opcode[] RESPONSES = Arrays.stream(Opcode.values())
            .filter(row -> row.transport() == Transport.RC && row.isResponse())
            .toArray(Opcode[]::new);
    private static final int[] SYNDROMES = {
        Syndrome.ACK_NO_CREDIT,
        0,
        Syndrome.NAK_PSN_SEQUENCE,
        Syndrome.NAK_INVALID_REQUEST,
        Syndrome.NAK_REMOTE_ACCESS,
        Syndrome.NAK_REMOTE_OPERATIONAL,
        Syndrome.NAK_INVALID_RD,
        0x20,
        0x21,
        0x3f,
    };

    private final Script script;
    private final Wire wire;

    Answerer(Script script, Wire wire) {
        this.script = script;
        this.wire = wire;
    }

    /** One response packet or run of them, right or wrong, to the oldest request or to another. */
    void respond(Side side) {
        PacketRecord[] asked = side.asked.toArray(PacketRecord[]::new);
        int which = script.value();
        int opcodeChoice = script.value();
        int psnChoice = script.value();
        int syndrome = SYNDROMES[script.mostly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)];
        int payloadChoice = script.value();
        int index = script.value();
        int packets = script.mostly(1, 2, 3, 4, 64);
        Packet request = asked.length == 0
                ? Packets.packet(Opcode.SEND_ONLY, index)
                : asked[which < 128 ? 0 : which % asked.length].toPacket();
        Packet packet = responseTo(request, index % packetsOf(request), packets);
        int naturalBytes = packet.payload().lengthBytes();
        if (opcodeChoice >= 180) {
            Opcode other = RESPONSES[opcodeChoice % RESPONSES.length];
            packet = Packets.packet(other, packet.psn()).packets(packet.packets());
        }
        if (psnChoice >= 180 && psnChoice < 0xfe) {
            packet.psn(Psn.add(packet.psn(), Wire.psnError(psnChoice)));
        }
        if (packet.opcode().has(Header.AETH)) {
            packet.syndrome(syndrome).messageSequence(which);
        }
        if (packet.opcode().has(Header.ATOMIC_ACK_ETH)) {
            packet.originalData(payloadChoice);
        }
        packet.payload().clear();
        Wire.attach(packet, payloadChoice < 180 ? naturalBytes : Wire.oddPayload(payloadChoice));
        wire.carry(side, packet, psnChoice);
    }

    /** Everything that was asked is answered as it should be, with runs or without. */
    void respondToAll(Side side) {
        int most = 1 + script.value();
        int atOnce = script.mostly(1, 2, 5, 64);
        for (int answers = 0; answers < most && !side.asked.isEmpty(); answers++) {
            Packet request = side.asked.removeFirst().toPacket();
            for (int i = 0; i < packetsOf(request); i += atOnce) {
                wire.carry(side, responseTo(request, i, atOnce), 0);
            }
        }
    }

    private static int packetsOf(Packet request) {
        return request.opcode() == Opcode.RDMA_READ_REQUEST
                ? Psn.packets(Integer.toUnsignedLong(request.dmaLengthBytes()), MTU)
                : 1;
    }

    /** The right answer from its packet {@code index} on, so many packets of it as one if there are so many. */
    private static Packet responseTo(Packet request, int index, int packets) {
        int left = packetsOf(request) - index;
        int count = Math.min(packets, left);
        Packet response = Packets.packet(
                switch (request.opcode().kind()) {
                    case RDMA_READ -> readResponse(index == 0, count == left);
                    case ATOMIC -> Opcode.ATOMIC_ACKNOWLEDGE;
                    default -> Opcode.ACKNOWLEDGE;
                },
                Psn.add(request.psn(), index));
        if (response.opcode().has(Header.AETH)) {
            response.syndrome(Syndrome.ACK_NO_CREDIT);
        }
        Wire.attach(response, Math.max(0, Math.min(count * MTU, request.dmaLengthBytes() - index * MTU)));
        return response.packets(count);
    }

    private static Opcode readResponse(boolean first, boolean last) {
        if (first) {
            return last ? Opcode.RDMA_READ_RESPONSE_ONLY : Opcode.RDMA_READ_RESPONSE_FIRST;
        }
        return last ? Opcode.RDMA_READ_RESPONSE_LAST : Opcode.RDMA_READ_RESPONSE_MIDDLE;
    }
}
