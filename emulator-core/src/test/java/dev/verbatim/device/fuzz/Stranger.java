// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.testing.Packets;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The peer: knows what would be right, and does something near it. */
final class Stranger {

    private static final Opcode[] REQUESTS =
            Arrays.stream(Opcode.values()).filter(Opcode::isRequest).toArray(Opcode[]::new);
    private static final Opcode[] RESPONSES =
            Arrays.stream(Opcode.values()).filter(Opcode::isResponse).toArray(Opcode[]::new);
    private static final Gid ANOTHER = Gid.ofGuid(0x98);
    private static final int MTU = Estate.MTU;
    private static final int[] LENGTHS = {
        0,
        1,
        7,
        8,
        9,
        MTU - 1,
        MTU,
        MTU + 1,
        2 * MTU,
        3 * MTU + 5,
        1024,
        2048,
        3584,
        3585,
        1 << 14,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        -1
    };
    private static final int[] PSN_ERRORS = {-1, -2, 1, 2, -64, 300, 0x7f_ffff, -0x80_0000, 3, -3, 0x40_0000};
    private static final int[] PAYLOADS = {0, 1, 3, 4, MTU - 1, MTU, MTU + 1, 2 * MTU, 4096};
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

    private static final int MOST_PACKETS_OF_A_MESSAGE = 5;
    private static final byte[] PAYLOAD = payload();

    private final Estate estate;
    private final Script script;

    Stranger(Estate estate, Script script) {
        this.estate = estate;
        this.script = script;
    }

    /** No byte of it looks like a colour of the ground. */
    private static byte[] payload() {
        byte[] bytes = new byte[1 << 14];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7 & 0x3f | 0x40);
        }
        return bytes;
    }

    /** One request packet, right or wrong. */
    void request(Side side) {
        Opcode opcode = script.pick(REQUESTS);
        int psnChoice = script.value();
        Packet packet = Packets.packet(opcode, psn(side, psnChoice));
        target(packet, opcode);
        int lengthBytes = LENGTHS[script.pick(LENGTHS.length)];
        int last = script.value();
        if (opcode.has(Header.RETH)) {
            packet.dmaLengthBytes(lengthBytes);
        }
        if (opcode.has(Header.FETH)) {
            packet.flushType(last & 3).flushLevel(last >> 2 & 1);
        }
        int payloadBytes = last < 160 ? naturalPayload(side, opcode, lengthBytes) : PAYLOADS[last % PAYLOADS.length];
        attach(packet, payloadBytes);
        packet.ackRequest((last & 1) == 0).solicited((last & 6) == 6);
        packet.pkey(last == 0xff ? 0x7fff : Packet.DEFAULT_PKEY);
        if (opcode.startsMessage()) {
            side.leftBytes = Integer.toUnsignedLong(lengthBytes);
        }
        side.leftBytes = Math.max(0, side.leftBytes - payloadBytes);
        send(side, packet, psnChoice);
    }

    private int psn(Side side, int choice) {
        return choice < 180 ? side.psn : Psn.add(side.psn, PSN_ERRORS[choice % PSN_ERRORS.length]);
    }

    private static int naturalPayload(Side side, Opcode opcode, int lengthBytes) {
        if (!opcode.carriesPayload()) {
            return 0;
        }
        return switch (opcode.position()) {
            case FIRST, MIDDLE -> MTU;
            case LAST -> (int) Math.max(1, Math.min(MTU, side.leftBytes));
            case ONLY -> (int) Math.min(MTU, Integer.toUnsignedLong(lengthBytes));
        };
    }

    private static void attach(Packet packet, int payloadBytes) {
        if (packet.opcode().carriesPayload()) {
            packet.payload().add(ByteBuffer.wrap(PAYLOAD), packet.psn() & 0x3f, payloadBytes);
        }
    }

    /** An address and a key, of a region or a window or near them. */
    private void target(Packet packet, Opcode opcode) {
        int which = script.value();
        int object = (which & 0x1f) % (estate.regions.length + estate.windows.length);
        int where = script.value();
        int fine = (byte) script.value();
        long address;
        int key;
        long size;
        if (object < estate.regions.length) {
            Region region = estate.regions[object];
            address = region.address;
            key = which >> 5 == 6 ? region.lastLkey : region.lastRkey;
            size = region.lengthBytes;
        } else {
            Window window = estate.windows[object - estate.regions.length];
            address = window.address;
            key = window.key;
            size = window.lengthBytes;
        }
        if (which >> 5 == 7) {
            key ^= 1 << (where & 0x1f);
        }
        address += switch (where % 6) {
            case 0, 1 -> 0;
            case 2 -> size;
            case 3 -> size - MTU;
            case 4 -> size / 2;
            default -> -1L;
        };
        address += opcode.kind() == Opcode.Kind.ATOMIC && fine < 64 ? (long) fine * Long.BYTES : fine;
        if (opcode.has(Header.RETH) || opcode.has(Header.ATOMIC_ETH)) {
            packet.remoteAddress(address).remoteKey(key);
        }
        if (opcode.has(Header.ATOMIC_ETH)) {
            packet.swapOrAdd(fine).compare(where);
        }
        if (opcode.has(Header.IETH)) {
            packet.invalidateKey(key);
        }
        if (opcode.hasImmediate()) {
            packet.immediate(where);
        }
    }

    /** The packet goes to the device, and those behind it follow in their numbers. */
    private void send(Side side, Packet packet, int psnChoice) {
        if (psnChoice < 180) {
            long asked =
                    packet.opcode() == Opcode.RDMA_READ_REQUEST ? Integer.toUnsignedLong(packet.dmaLengthBytes()) : 0;
            side.psn = Psn.add(side.psn, Psn.packets(asked, MTU));
        }
        deliver(side, packet, psnChoice == 0xfe ? ANOTHER : Estate.PEER, psnChoice == 0xff ? 0x20 : 0);
    }

    /** A whole message, of which one packet may get lost or come twice. */
    void message(Side side) {
        Opcode.Kind kind = script.pick(0, 1) == 0 ? Opcode.Kind.SEND : Opcode.Kind.RDMA_WRITE;
        Packet target = Packets.packet(Opcode.RDMA_WRITE_ONLY, 0);
        target(target, Opcode.RDMA_WRITE_ONLY);
        int shape = script.value();
        int count = 1 + shape % MOST_PACKETS_OF_A_MESSAGE;
        int mishap = script.value();
        int lastBytes = 1 + script.value();
        for (int i = 0; i < count; i++) {
            Packet packet = Packets.packet(opcodeAt(kind, i, count, shape >> 4), side.psn);
            if (packet.opcode().has(Header.RETH)) {
                packet.remoteAddress(target.remoteAddress()).remoteKey(target.remoteKey());
                packet.dmaLengthBytes((count - 1) * MTU + lastBytes);
            }
            if (packet.opcode().has(Header.IETH)) {
                packet.invalidateKey(target.remoteKey());
            }
            attach(packet, i == count - 1 ? lastBytes : MTU);
            packet.ackRequest(i == count - 1);
            boolean hit = mishap > 160 && mishap % count == i;
            side.psn = Psn.next(side.psn);
            for (int copies = hit ? mishap / 16 % 3 : 1; copies > 0; copies--) {
                deliver(side, packet, Estate.PEER, 0);
            }
        }
    }

    private static Opcode opcodeAt(Opcode.Kind kind, int i, int count, int variant) {
        boolean send = kind == Opcode.Kind.SEND;
        if (count == 1) {
            return switch (variant % 3) {
                case 0 -> send ? Opcode.SEND_ONLY : Opcode.RDMA_WRITE_ONLY;
                case 1 -> send ? Opcode.SEND_ONLY_WITH_IMM : Opcode.RDMA_WRITE_ONLY_WITH_IMM;
                default -> send ? Opcode.SEND_ONLY_WITH_INVALIDATE : Opcode.RDMA_WRITE_ONLY;
            };
        } else if (i == 0) {
            return send ? Opcode.SEND_FIRST : Opcode.RDMA_WRITE_FIRST;
        } else if (i < count - 1) {
            return send ? Opcode.SEND_MIDDLE : Opcode.RDMA_WRITE_MIDDLE;
        }
        return switch (variant % 3) {
            case 0 -> send ? Opcode.SEND_LAST : Opcode.RDMA_WRITE_LAST;
            case 1 -> send ? Opcode.SEND_LAST_WITH_IMM : Opcode.RDMA_WRITE_LAST_WITH_IMM;
            default -> send ? Opcode.SEND_LAST_WITH_INVALIDATE : Opcode.RDMA_WRITE_LAST;
        };
    }

    /** One response packet, right or wrong, to the oldest request or to another. */
    void respond(Side side) {
        PacketRecord[] asked = side.asked.toArray(PacketRecord[]::new);
        int which = script.value();
        int opcodeChoice = script.value();
        int psnChoice = script.value();
        int syndrome = SYNDROMES[script.mostly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)];
        int payloadChoice = script.value();
        int index = script.value();
        Packet request = asked.length == 0
                ? Packets.packet(Opcode.SEND_ONLY, index)
                : asked[which < 128 ? 0 : which % asked.length].toPacket();
        Packet packet = responseTo(request, index);
        if (opcodeChoice >= 180) {
            Opcode other = RESPONSES[opcodeChoice % RESPONSES.length];
            packet = Packets.packet(other, packet.psn());
        }
        if (psnChoice >= 180) {
            packet.psn(Psn.add(packet.psn(), PSN_ERRORS[psnChoice % PSN_ERRORS.length]));
        }
        if (packet.opcode().has(Header.AETH)) {
            packet.syndrome(syndrome).messageSequence(which);
        }
        if (packet.opcode().has(Header.ATOMIC_ACK_ETH)) {
            packet.originalData(payloadChoice);
        }
        int natural = request.opcode() == Opcode.RDMA_READ_REQUEST
                ? Math.max(0, Math.min(MTU, request.dmaLengthBytes() - index % packetsOf(request) * MTU))
                : 0;
        attach(packet, payloadChoice < 180 ? natural : PAYLOADS[payloadChoice % PAYLOADS.length]);
        deliver(side, packet, psnChoice == 0xfe ? ANOTHER : Estate.PEER, 0);
    }

    private static int packetsOf(Packet request) {
        return request.opcode() == Opcode.RDMA_READ_REQUEST
                ? Psn.packets(Integer.toUnsignedLong(request.dmaLengthBytes()), MTU)
                : 1;
    }

    private static Packet responseTo(Packet request, int index) {
        int count = packetsOf(request);
        int place = index % count;
        Opcode opcode = switch (request.opcode().kind()) {
            case RDMA_READ -> {
                if (count == 1) {
                    yield Opcode.RDMA_READ_RESPONSE_ONLY;
                } else if (place == 0) {
                    yield Opcode.RDMA_READ_RESPONSE_FIRST;
                }
                yield place == count - 1 ? Opcode.RDMA_READ_RESPONSE_LAST : Opcode.RDMA_READ_RESPONSE_MIDDLE;
            }
            case ATOMIC -> Opcode.ATOMIC_ACKNOWLEDGE;
            default -> Opcode.ACKNOWLEDGE;
        };
        return Packets.packet(opcode, Psn.add(request.psn(), place));
    }

    /** Everything that was asked is answered as it should be. */
    void respondToAll(Side side) {
        int most = 1 + script.value();
        for (int answers = 0; answers < most && !side.asked.isEmpty(); answers++) {
            Packet request = side.asked.removeFirst().toPacket();
            for (int i = 0; i < packetsOf(request); i++) {
                Packet packet = responseTo(request, i);
                if (packet.opcode().has(Header.AETH)) {
                    packet.syndrome(Syndrome.ACK_NO_CREDIT);
                }
                attach(packet, Math.max(0, Math.min(MTU, request.dmaLengthBytes() - i * MTU)));
                deliver(side, packet, Estate.PEER, 0);
            }
        }
    }

    private void deliver(Side side, Packet packet, Gid from, int otherQp) {
        packet.destQp(otherQp == 0 ? side.qp.number() : otherQp);
        IntPredicate permitted = index -> false;
        if (from.equals(Estate.PEER) && otherQp == 0) {
            permitted = index -> mayChange(side, packet, index);
        }
        String what = packet.toString();
        estate.fabric.deliver(from, packet);
        estate.ground.assertOnlyTheseChanged(what, permitted);
    }

    private boolean mayChange(Side side, Packet packet, int index) {
        return switch (packet.opcode().kind()) {
            case SEND -> estate.awaits(side, true, index);
            case RDMA_WRITE -> opens(side, AccessFlags.REMOTE_WRITE, touchOf(packet), index);
            case ATOMIC -> opens(side, AccessFlags.REMOTE_ATOMIC, new Touch(packet.remoteAddress(), Long.BYTES), index);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> estate.awaits(side, false, index);
            default -> false;
        };
    }

    private static Touch touchOf(Packet write) {
        return write.opcode().startsMessage()
                ? new Touch(write.remoteAddress(), write.payload().lengthBytes())
                : Touch.ANYWHERE;
    }

    private boolean opens(Side side, int right, Touch touch, int index) {
        return (side.access & right) != 0 && estate.opens(right, touch, index);
    }
}
