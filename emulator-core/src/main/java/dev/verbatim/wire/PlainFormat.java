// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link PlainRequest} and of a {@link PlainAnswer}: those that {@link PacketWriter} writes for the same packet, in as few
 * stores as they take. What differs from them in a single bit outside of their fields and of the pad is left to {@link PacketView}.
 */
public final class PlainFormat {

    private static final int BASE_BYTES = Header.BTH.sizeBytes();
    private static final int OPCODE_SHIFT = 24;
    private static final int FLAGS_SHIFT = 16;
    private static final int PAD_SHIFT = FLAGS_SHIFT + Layout.PAD_COUNT_SHIFT;
    private static final int PAD_BITS = Layout.PAD_COUNT_MASK << PAD_SHIFT;
    private static final int FLAGS_AND_PKEY = Layout.MIG_REQUEST_BIT << FLAGS_SHIFT | Packet.DEFAULT_PKEY;
    private static final int BELOW_OPCODE = (1 << OPCODE_SHIFT) - 1;
    private static final int WORD_MASK = Integer.BYTES - 1;
    private static final int ACK = Syndrome.ACK_NO_CREDIT << Layout.SYNDROME_SHIFT;

    private static final Set<Opcode> REQUESTS = EnumSet.of(
            Opcode.RDMA_WRITE_ONLY, Opcode.SEND_ONLY, Opcode.RDMA_READ_REQUEST, Opcode.FETCH_ADD, Opcode.COMPARE_SWAP);
    private static final Set<Opcode> ANSWERS =
            EnumSet.of(Opcode.ACKNOWLEDGE, Opcode.RDMA_READ_RESPONSE_ONLY, Opcode.ATOMIC_ACKNOWLEDGE);

    private PlainFormat() {}

    /** How many bytes {@link #write(PlainRequest, ByteBuffer, int)} will write. */
    public static int encodedLengthBytes(PlainRequest request) {
        int headers = request.opcode.headerLengthBytes();
        return request.opcode.carriesPayload() ? headers + (request.lengthBytes + WORD_MASK & ~WORD_MASK) : headers;
    }

    /**
     * Writes the request: headers, payload, pad.
     *
     * @param offset where it begins in the target, which has room
     * @return the number of bytes written
     */
    public static int write(PlainRequest request, ByteBuffer target, int offset) {
        Opcode opcode = request.opcode;
        int payload = opcode.carriesPayload() ? request.lengthBytes : 0;
        writeBase(opcode, payload, request.destQp, request.psn | Layout.ACK_REQUEST_BIT, target, offset);
        int at = offset + BASE_BYTES;
        if (opcode != Opcode.SEND_ONLY) {
            BigEndian.putLong(target, at + Layout.REMOTE_ADDRESS, request.remoteAddress);
            BigEndian.putInt(target, at + Layout.REMOTE_KEY, request.remoteKey);
            if (opcode.has(Header.ATOMIC_ETH)) {
                BigEndian.putLong(target, at + Layout.ATOMIC_ETH_SWAP_OR_ADD, request.swapOrAdd);
                BigEndian.putLong(
                        target, at + Layout.ATOMIC_ETH_COMPARE, opcode == Opcode.COMPARE_SWAP ? request.compare : 0);
            } else {
                BigEndian.putInt(target, at + Layout.RETH_DMA_LENGTH, request.lengthBytes);
            }
        }
        at = offset + opcode.headerLengthBytes();
        return writePayload(request.buffer, request.index, payload, target, at) - offset;
    }

    /**
     * Writes the answer: headers, payload, pad.
     *
     * @param offset where it begins in the target, which has room
     * @return the number of bytes written
     */
    public static int write(PlainAnswer answer, ByteBuffer target, int offset) {
        Opcode opcode = answer.opcode;
        boolean isAtomic = opcode == Opcode.ATOMIC_ACKNOWLEDGE;
        int payload = isAtomic ? 0 : answer.lengthBytes;
        writeBase(opcode, payload, answer.destQp, answer.psn, target, offset);
        BigEndian.putInt(target, offset + BASE_BYTES + Layout.AETH_WORD, ACK | answer.messageSequence);
        int at = offset + opcode.headerLengthBytes();
        if (isAtomic) {
            BigEndian.putLong(target, originalData(offset), answer.originalData);
        }
        if (payload == 0) {
            return at - offset;
        }
        return writePayload(answer.buffer, answer.index, payload, target, at) - offset;
    }

    private static void writeBase(Opcode opcode, int payload, int destQp, int psnWord, ByteBuffer target, int offset) {
        int pad = PacketWriter.padCount(payload) << PAD_SHIFT;
        BigEndian.putInt(target, offset, opcode.code() << OPCODE_SHIFT | pad | FLAGS_AND_PKEY);
        BigEndian.putInt(target, offset + Layout.BTH_DEST_QP_WORD, destQp);
        BigEndian.putInt(target, offset + Layout.BTH_PSN_WORD, psnWord);
    }

    /** Payload and pad; returns where they end. */
    private static int writePayload(ByteBuffer from, int index, int payload, ByteBuffer target, int at) {
        if (payload == Long.BYTES) {
            // As it lies there: two copies of a word are quicker than a call for any length.
            BigEndian.putLong(target, at, BigEndian.getLong(from, index));
        } else if (payload > 0) {
            target.put(at, from, index, payload);
        }
        MemoryFault.raise();
        int end = at + payload + PacketWriter.padCount(payload);
        for (int pad = at + payload; pad < end; pad++) {
            BigEndian.putByte(target, pad, 0);
        }
        return end;
    }

    /** Where the data of an atomic's answer stand that begins there. */
    private static int originalData(int offset) {
        return offset + BASE_BYTES + Header.AETH.sizeBytes() + Layout.ATOMIC_ACK_ETH_ORIGINAL_DATA;
    }

    /**
     * Reads the bytes of a packet as a plain request.
     *
     * @param lengthBytes from BTH to pad, all of which lies within the buffer
     * @return false if it is none, or no packet at all
     */
    public static boolean read(ByteBuffer bytes, int offset, int lengthBytes, PlainRequest request) {
        if (!isPlain(bytes, offset, lengthBytes, Layout.ACK_REQUEST_BIT)) {
            return false;
        }
        int firstWord = BigEndian.getInt(bytes, offset);
        Opcode opcode = among(REQUESTS, firstWord >>> OPCODE_SHIFT);
        if (opcode == null) {
            return false;
        }
        request.opcode = opcode;
        request.destQp = BigEndian.getInt(bytes, offset + Layout.BTH_DEST_QP_WORD);
        request.psn = BigEndian.getInt(bytes, offset + Layout.BTH_PSN_WORD) & Layout.LOW_24_BITS;
        request.isAnswered = false;
        int pad = (firstWord & PAD_BITS) >>> PAD_SHIFT;
        int payloadBytes = lengthBytes - opcode.headerLengthBytes() - pad;
        return payloadBytes >= 0
                && (payloadBytes + pad & WORD_MASK) == 0
                && readExtension(opcode, payloadBytes, pad, bytes, offset, request);
    }

    /**
     * Reads the bytes of a packet as a plain answer.
     *
     * @param lengthBytes from BTH to pad, all of which lies within the buffer
     * @return false if it is none, or no packet at all
     */
    public static boolean read(ByteBuffer bytes, int offset, int lengthBytes, PlainAnswer answer) {
        if (!isPlain(bytes, offset, lengthBytes, 0)) {
            return false;
        }
        int firstWord = BigEndian.getInt(bytes, offset);
        Opcode opcode = among(ANSWERS, firstWord >>> OPCODE_SHIFT);
        if (opcode == null) {
            return false;
        }
        int pad = (firstWord & PAD_BITS) >>> PAD_SHIFT;
        int payloadBytes = lengthBytes - opcode.headerLengthBytes() - pad;
        if (payloadBytes < 0 || (payloadBytes + pad & WORD_MASK) != 0) {
            return false;
        }
        int aeth = BigEndian.getInt(bytes, offset + BASE_BYTES + Layout.AETH_WORD);
        answer.opcode = opcode;
        answer.destQp = BigEndian.getInt(bytes, offset + Layout.BTH_DEST_QP_WORD);
        answer.psn = BigEndian.getInt(bytes, offset + Layout.BTH_PSN_WORD);
        answer.messageSequence = aeth & Layout.LOW_24_BITS;
        if (opcode == Opcode.ATOMIC_ACKNOWLEDGE) {
            answer.lengthBytes = Long.BYTES;
            answer.originalData = BigEndian.getLong(bytes, originalData(offset));
            return (aeth & ~Layout.LOW_24_BITS) == ACK && payloadBytes + pad == 0;
        }
        answer.lengthBytes = payloadBytes;
        answer.buffer = bytes;
        answer.index = offset + opcode.headerLengthBytes();
        return (aeth & ~Layout.LOW_24_BITS) == ACK
                && (opcode == Opcode.ACKNOWLEDGE ? payloadBytes + pad == 0 : payloadBytes > 0);
    }

    /** Whether the BTH is there, and of a plain packet: the bits beside the PSN are these, and others as they are by default. */
    private static boolean isPlain(ByteBuffer bytes, int offset, int lengthBytes, int besidePsn) {
        if (lengthBytes <= BASE_BYTES) {
            return false;
        }
        int firstWord = BigEndian.getInt(bytes, offset);
        int destQp = BigEndian.getInt(bytes, offset + Layout.BTH_DEST_QP_WORD);
        int psnWord = BigEndian.getInt(bytes, offset + Layout.BTH_PSN_WORD);
        return (firstWord & BELOW_OPCODE & ~PAD_BITS) == FLAGS_AND_PKEY
                && (destQp & ~Layout.LOW_24_BITS) == 0
                && (psnWord & ~Layout.LOW_24_BITS) == besidePsn;
    }

    private static boolean readExtension(
            Opcode opcode, int payloadBytes, int pad, ByteBuffer bytes, int offset, PlainRequest request) {
        request.buffer = bytes;
        request.index = offset + opcode.headerLengthBytes();
        if (opcode == Opcode.SEND_ONLY) {
            request.lengthBytes = payloadBytes;
            return payloadBytes > 0;
        }
        int at = offset + BASE_BYTES;
        request.remoteAddress = BigEndian.getLong(bytes, at + Layout.REMOTE_ADDRESS);
        request.remoteKey = BigEndian.getInt(bytes, at + Layout.REMOTE_KEY);
        if (opcode.has(Header.ATOMIC_ETH)) {
            request.lengthBytes = Long.BYTES;
            request.swapOrAdd = BigEndian.getLong(bytes, at + Layout.ATOMIC_ETH_SWAP_OR_ADD);
            request.compare = BigEndian.getLong(bytes, at + Layout.ATOMIC_ETH_COMPARE);
            return payloadBytes + pad == 0;
        }
        request.lengthBytes = BigEndian.getInt(bytes, at + Layout.RETH_DMA_LENGTH);
        return request.lengthBytes > 0
                && (opcode == Opcode.RDMA_WRITE_ONLY ? payloadBytes == request.lengthBytes : payloadBytes + pad == 0);
    }

    /** Whether such a packet, if it has nothing special, can be a plain request. */
    public static boolean hasRequest(Opcode opcode) {
        return REQUESTS.contains(opcode);
    }

    private static @Nullable Opcode among(Set<Opcode> plain, int code) {
        Opcode opcode = Opcode.of(code);
        return opcode != null && plain.contains(opcode) ? opcode : null;
    }
}
