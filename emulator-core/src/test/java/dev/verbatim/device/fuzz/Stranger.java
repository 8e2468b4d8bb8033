// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.testing.Packets;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.Transport;
import java.util.Arrays;

/** The peer as it asks: knows what would be right, and does something near it. */
final class Stranger {

    static final Opcode[] REQUESTS = Arrays.stream(Opcode.values())
            .filter(row -> row.transport() == Transport.RC && row.isRequest())
            .toArray(Opcode[]::new);
    private static final int MTU = Estate.MTU;
    static final int[] LENGTHS = {
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

    private static final int MOST_PACKETS_OF_A_MESSAGE = 5;
    private static final int MOST_PACKETS_OF_A_RUN = 14;

    private final Estate estate;
    private final Script script;
    private final Wire wire;

    Stranger(Estate estate, Script script, Wire wire) {
        this.estate = estate;
        this.script = script;
        this.wire = wire;
    }

    /** One request packet, right or wrong. */
    void request(Side side) {
        int choice = script.value();
        Opcode opcode = REQUESTS[choice % REQUESTS.length];
        int psnChoice = script.value();
        Packet packet = Packets.packet(opcode, psn(side, psnChoice));
        packet.packets(choice < 180 || opcode.kind() == Opcode.Kind.ATOMIC_WRITE ? 1 : 2 + choice % 4);
        int lengthBytes = LENGTHS[script.pick(LENGTHS.length)];
        target(packet, Integer.toUnsignedLong(lengthBytes));
        int last = script.value();
        if (opcode.has(Header.RETH)) {
            packet.dmaLengthBytes(lengthBytes);
        }
        if (opcode.has(Header.FETH)) {
            packet.flushType(last & 3).flushLevel(last >> 2 & 1);
        }
        int payloadBytes = last < 160 ? naturalPayload(side, packet, lengthBytes) : Wire.oddPayload(last);
        Wire.attach(packet, payloadBytes);
        packet.ackRequest((last & 1) == 0).solicited((last & 6) == 6);
        packet.pkey(last == 0xff ? 0x7fff : Packet.DEFAULT_PKEY);
        if (opcode.startsMessage()) {
            side.leftBytes = Integer.toUnsignedLong(lengthBytes);
        }
        side.leftBytes = Math.max(0, side.leftBytes - payloadBytes);
        send(side, packet, psnChoice);
    }

    private void target(Packet packet, long lengthBytes) {
        Opcode opcode = packet.opcode();
        Target target = Target.of(script, estate, opcode.has(Header.ATOMIC_ETH) ? Long.BYTES : lengthBytes);
        if (opcode.has(Header.RETH) || opcode.has(Header.ATOMIC_ETH)) {
            packet.remoteAddress(target.address()).remoteKey(target.key());
        }
        if (opcode.has(Header.ATOMIC_ETH)) {
            packet.swapOrAdd(target.fine()).compare(lengthBytes);
        }
        if (opcode.has(Header.IETH)) {
            packet.invalidateKey(target.key());
        }
        if (opcode.hasImmediate()) {
            packet.immediate(target.fine());
        }
    }

    private int psn(Side side, int choice) {
        return choice < 180 || choice >= 0xfe ? side.psn : Psn.add(side.psn, Wire.psnError(choice));
    }

    private static int naturalPayload(Side side, Packet packet, int lengthBytes) {
        int most = packet.packets() * MTU;
        if (!packet.opcode().carriesPayload()) {
            return 0;
        }
        return switch (packet.opcode().position()) {
            case FIRST, MIDDLE -> most;
            case LAST -> (int) Math.max(1, Math.min(most, side.leftBytes));
            case ONLY -> (int) Math.min(most, Integer.toUnsignedLong(lengthBytes));
        };
    }

    /** The packet goes to the device, and those behind it follow in their numbers. */
    private void send(Side side, Packet packet, int psnChoice) {
        if (psnChoice < 180) {
            side.psn = Psn.add(
                    side.psn,
                    packet.opcode() == Opcode.RDMA_READ_REQUEST
                            ? Psn.packets(Integer.toUnsignedLong(packet.dmaLengthBytes()), MTU)
                            : packet.packets());
        }
        wire.carry(side, packet, psnChoice);
    }

    /** A whole message, of which one packet may get lost or come twice; or in one run or two. */
    void message(Side side) {
        int how = script.value();
        Opcode.Kind kind = (how & 1) == 0 ? Opcode.Kind.SEND : Opcode.Kind.RDMA_WRITE;
        int shape = script.value();
        int mishap = script.value();
        int lastBytes = 1 + script.value();
        int count = 1 + shape % ((how & 2) == 0 ? MOST_PACKETS_OF_A_MESSAGE : MOST_PACKETS_OF_A_RUN);
        int atOnce = (how & 2) == 0 ? 1 : (how & 4) == 0 ? count : 1 + count / 2;
        int lengthBytes = (count - 1) * MTU + lastBytes;
        Target target = Target.of(script, estate, lengthBytes);
        for (int i = 0; i < count; i += atOnce) {
            int packets = Math.min(atOnce, count - i);
            boolean last = i + packets == count;
            Packet packet = Packets.packet(opcodeAt(kind, i == 0, last, shape >> 4), side.psn)
                    .packets(packets);
            if (packet.opcode().has(Header.RETH)) {
                packet.remoteAddress(target.address()).remoteKey(target.key());
                packet.dmaLengthBytes(lengthBytes);
            }
            if (packet.opcode().has(Header.IETH)) {
                packet.invalidateKey(target.key());
            }
            Wire.attach(packet, (packets - 1) * MTU + (last ? lastBytes : MTU));
            packet.ackRequest(last);
            boolean hit = mishap > 160 && mishap % count == i;
            side.psn = Psn.add(side.psn, packets);
            for (int copies = hit ? mishap / 16 % 3 : 1; copies > 0; copies--) {
                wire.carry(side, packet, 0);
            }
        }
    }

    private static Opcode opcodeAt(Opcode.Kind kind, boolean first, boolean last, int variant) {
        boolean send = kind == Opcode.Kind.SEND;
        if (first && last) {
            return switch (variant % 3) {
                case 0 -> send ? Opcode.SEND_ONLY : Opcode.RDMA_WRITE_ONLY;
                case 1 -> send ? Opcode.SEND_ONLY_WITH_IMM : Opcode.RDMA_WRITE_ONLY_WITH_IMM;
                default -> send ? Opcode.SEND_ONLY_WITH_INVALIDATE : Opcode.RDMA_WRITE_ONLY;
            };
        } else if (first) {
            return send ? Opcode.SEND_FIRST : Opcode.RDMA_WRITE_FIRST;
        } else if (!last) {
            return send ? Opcode.SEND_MIDDLE : Opcode.RDMA_WRITE_MIDDLE;
        }
        return switch (variant % 3) {
            case 0 -> send ? Opcode.SEND_LAST : Opcode.RDMA_WRITE_LAST;
            case 1 -> send ? Opcode.SEND_LAST_WITH_IMM : Opcode.RDMA_WRITE_LAST_WITH_IMM;
            default -> send ? Opcode.SEND_LAST_WITH_INVALIDATE : Opcode.RDMA_WRITE_LAST;
        };
    }
}
