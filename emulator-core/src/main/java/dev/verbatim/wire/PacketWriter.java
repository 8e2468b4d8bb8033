// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/**
 * Turns packets into bytes, from BTH to pad. Positions are absolute: the target's position, mark and byte order neither matter
 * nor change. Nothing is allocated.
 */
public final class PacketWriter {
    private PacketWriter() {}

    /** Returns how many zero bytes follow a payload of that length, to make it a multiple of four. */
    public static int padCount(int payloadLengthBytes) {
        return -payloadLengthBytes & Layout.PAD_COUNT_MASK;
    }

    /** Returns how many bytes {@link #write} will write. */
    public static int encodedLengthBytes(Packet packet) {
        int payload = packet.payload().lengthBytes();
        return Math.addExact(packet.opcode().headerLengthBytes() + padCount(payload), payload);
    }

    /**
     * Writes a packet: headers, payload, pad.
     *
     * @param offset where the packet begins in the target
     * @return the number of bytes written
     * @throws IllegalArgumentException if it does not fit below the target's limit, or if it has payload and its opcode carries
     *     none; then nothing is written
     */
    public static int write(Packet packet, ByteBuffer target, int offset) {
        int length = encodedLengthBytes(packet);
        requireRoom(packet, target, offset, length);
        int at = offset + writeHeaders(packet, target, offset);
        int payload = packet.payload().lengthBytes();
        packet.payload().copyTo(0, target, at, payload);
        for (int pad = at + payload; pad < offset + length; pad++) {
            BigEndian.putByte(target, pad, 0);
        }
        return length;
    }

    /**
     * Writes the headers alone, pad count included; the caller writes payload and pad.
     *
     * @return the number of bytes written
     * @throws IllegalArgumentException as {@link #write}
     */
    public static int writeHeaders(Packet packet, ByteBuffer target, int offset) {
        Opcode opcode = packet.opcode();
        requireRoom(packet, target, offset, opcode.headerLengthBytes());
        writeBase(packet, target, offset);
        if (opcode.has(Header.RETH)) {
            int at = offset + opcode.offsetOf(Header.RETH);
            writeRemote(packet, target, at);
            BigEndian.putInt(target, at + Layout.RETH_DMA_LENGTH, packet.dmaLengthBytes());
        }
        if (opcode.has(Header.ATOMIC_ETH)) {
            int at = offset + opcode.offsetOf(Header.ATOMIC_ETH);
            writeRemote(packet, target, at);
            BigEndian.putLong(target, at + Layout.ATOMIC_ETH_SWAP_OR_ADD, packet.swapOrAdd());
            BigEndian.putLong(target, at + Layout.ATOMIC_ETH_COMPARE, packet.compare());
        }
        if (opcode.has(Header.AETH)) {
            int word = packet.syndrome() << Layout.SYNDROME_SHIFT | packet.messageSequence();
            BigEndian.putInt(target, offset + opcode.offsetOf(Header.AETH) + Layout.AETH_WORD, word);
        }
        if (opcode.has(Header.ATOMIC_ACK_ETH)) {
            int at = offset + opcode.offsetOf(Header.ATOMIC_ACK_ETH);
            BigEndian.putLong(target, at + Layout.ATOMIC_ACK_ETH_ORIGINAL_DATA, packet.originalData());
        }
        if (opcode.has(Header.IMM_DT)) {
            int at = offset + opcode.offsetOf(Header.IMM_DT);
            BigEndian.putInt(target, at + Layout.IMM_DT_IMMEDIATE, packet.immediate());
        }
        if (opcode.has(Header.IETH)) {
            BigEndian.putInt(target, offset + opcode.offsetOf(Header.IETH) + Layout.IETH_KEY, packet.invalidateKey());
        }
        if (opcode.has(Header.FETH)) {
            int word = packet.flushLevel() << Layout.FLUSH_LEVEL_SHIFT | packet.flushType();
            BigEndian.putInt(target, offset + opcode.offsetOf(Header.FETH) + Layout.FETH_WORD, word);
        }
        if (opcode.has(Header.DETH)) {
            int at = offset + opcode.offsetOf(Header.DETH);
            BigEndian.putInt(target, at + Layout.DETH_QUEUE_KEY, packet.queueKey());
            BigEndian.putInt(target, at + Layout.DETH_SOURCE_QP_WORD, packet.sourceQp());
        }
        if (opcode.has(Header.XRCETH)) {
            BigEndian.putInt(target, offset + opcode.offsetOf(Header.XRCETH) + Layout.XRCETH_WORD, packet.srqNumber());
        }
        return opcode.headerLengthBytes();
    }

    private static void writeBase(Packet packet, ByteBuffer target, int offset) {
        int flags = padCount(packet.payload().lengthBytes()) << Layout.PAD_COUNT_SHIFT
                | (packet.solicited() ? Layout.SOLICITED_BIT : 0)
                | (packet.migRequest() ? Layout.MIG_REQUEST_BIT : 0);
        int destQpWord =
                packet.destQp() | (packet.fecn() ? Layout.FECN_BIT : 0) | (packet.becn() ? Layout.BECN_BIT : 0);
        int psnWord = packet.psn() | (packet.ackRequest() ? Layout.ACK_REQUEST_BIT : 0);
        // Opcode, flags and partition key are one word: a packet is written with few stores.
        int firstWord = packet.opcode().code() << 24 | flags << 16 | packet.pkey();
        BigEndian.putInt(target, offset + Layout.BTH_OPCODE, firstWord);
        BigEndian.putInt(target, offset + Layout.BTH_DEST_QP_WORD, destQpWord);
        BigEndian.putInt(target, offset + Layout.BTH_PSN_WORD, psnWord);
    }

    private static void writeRemote(Packet packet, ByteBuffer target, int at) {
        BigEndian.putLong(target, at + Layout.REMOTE_ADDRESS, packet.remoteAddress());
        BigEndian.putInt(target, at + Layout.REMOTE_KEY, packet.remoteKey());
    }

    private static void requireRoom(Packet packet, ByteBuffer target, int offset, int length) {
        if (offset < 0 || offset > target.limit() - length) {
            throw new IllegalArgumentException(packet.opcode() + " needs " + length + " bytes at offset=" + offset
                    + " but the target's limit=" + target.limit() + "; ask encodedLengthBytes first");
        }
        if (packet.payload().lengthBytes() > 0 && !packet.opcode().carriesPayload()) {
            throw new IllegalArgumentException(packet.opcode() + " carries no payload but has one of lengthBytes="
                    + packet.payload().lengthBytes() + "; clear it, or choose another opcode");
        }
    }
}
