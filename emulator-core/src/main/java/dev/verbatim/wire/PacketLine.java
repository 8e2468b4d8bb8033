// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.util.HexFormat;

/** Prints a packet as one line: the fields that its opcode carries, then what departs from the usual. */
final class PacketLine {
    private PacketLine() {}

    static String of(Packet packet) {
        Opcode opcode = packet.opcode();
        StringBuilder line = new StringBuilder(opcode.name());
        line.append(" psn=").append(packet.psn());
        hex(line, "dqp", packet.destQp());
        if (opcode.has(Header.XRCETH)) {
            hex(line, "srq", packet.srqNumber());
        }
        if (opcode.has(Header.DETH)) {
            hex(line, "sqp", packet.sourceQp());
            hex(line, "qkey", packet.queueKey());
        }
        if (opcode.has(Header.FETH)) {
            line.append(" type=").append(packet.flushType()).append(" level=").append(packet.flushLevel());
        }
        if (opcode.has(Header.RETH) || opcode.has(Header.ATOMIC_ETH)) {
            hex(line, "va", packet.remoteAddress());
            key(line, "rkey", packet.remoteKey());
        }
        if (opcode.has(Header.RETH)) {
            line.append(" len=").append(Integer.toUnsignedString(packet.dmaLengthBytes()));
        }
        if (opcode.has(Header.ATOMIC_ETH)) {
            operands(line, packet);
        }
        if (opcode.has(Header.AETH)) {
            hex(line, "syndrome", packet.syndrome());
            line.append(" (").append(Syndrome.describe(packet.syndrome())).append(") msn=");
            line.append(packet.messageSequence());
        }
        if (opcode.has(Header.ATOMIC_ACK_ETH)) {
            hex(line, "original", packet.originalData());
        }
        if (opcode.has(Header.IMM_DT)) {
            hex(line, "imm", packet.immediate());
        }
        if (opcode.has(Header.IETH)) {
            key(line, "inv", packet.invalidateKey());
        }
        if (packet.payload().lengthBytes() > 0) {
            line.append(" payload=").append(packet.payload().lengthBytes()).append('B');
        }
        departures(line, packet);
        if (packet.packets() > 1) {
            line.append(" packets=").append(packet.packets());
        }
        return line.toString();
    }

    private static void operands(StringBuilder line, Packet packet) {
        boolean swap = packet.opcode().base() == Opcode.COMPARE_SWAP;
        hex(line, swap ? "swap" : "add", packet.swapOrAdd());
        if (swap || packet.compare() != 0) {
            hex(line, "compare", packet.compare());
        }
    }

    private static void departures(StringBuilder line, Packet packet) {
        if (packet.ackRequest()) {
            line.append(" ackreq");
        }
        if (packet.solicited()) {
            line.append(" solicited");
        }
        if (packet.fecn()) {
            line.append(" fecn");
        }
        if (packet.becn()) {
            line.append(" becn");
        }
        if (!packet.migRequest()) {
            line.append(" nomig");
        }
        if (packet.pkey() != Packet.DEFAULT_PKEY) {
            hex(line, "pkey", packet.pkey());
        }
        if (packet.trafficClass() != 0) {
            hex(line, "tclass", packet.trafficClass());
        }
        if (packet.flowLabel() != 0) {
            hex(line, "flow", packet.flowLabel());
        }
        if (packet.hopLimit() != GrhFields.USUAL_HOP_LIMIT) {
            line.append(" hops=").append(packet.hopLimit());
        }
    }

    /** Keys have eight digits, here as in all messages. */
    private static void key(StringBuilder line, String name, int key) {
        line.append(' ').append(name).append("=0x").append(HexFormat.of().toHexDigits(key));
    }

    private static void hex(StringBuilder line, String name, int value) {
        hex(line, name, Integer.toUnsignedLong(value));
    }

    private static void hex(StringBuilder line, String name, long value) {
        line.append(' ').append(name).append("=0x").append(Long.toHexString(value));
    }
}
