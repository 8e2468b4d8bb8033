// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link PlainRequest}: those that {@link PacketWriter} writes for the same packet, in as few stores as they take. What
 * differs from them in a single bit outside of the fields of a plain request is left to {@link PacketView}.
 */
public final class PlainRequestFormat {

    private static final int BASE_BYTES = Header.BTH.sizeBytes();
    private static final int OPCODE_SHIFT = 24;
    private static final int FLAGS_SHIFT = 16;
    private static final int PAD_SHIFT = FLAGS_SHIFT + Layout.PAD_COUNT_SHIFT;
    private static final int PAD_BITS = Layout.PAD_COUNT_MASK << PAD_SHIFT;
    private static final int FLAGS_AND_PKEY = Layout.MIG_REQUEST_BIT << FLAGS_SHIFT | Packet.DEFAULT_PKEY;
    private static final int BELOW_OPCODE = (1 << OPCODE_SHIFT) - 1;
    private static final int WORD_MASK = Integer.BYTES - 1;

    private PlainRequestFormat() {}

    /** How many bytes {@link #write} will write. */
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
        int pad = PacketWriter.padCount(payload);
        BigEndian.putInt(target, offset, opcode.code() << OPCODE_SHIFT | pad << PAD_SHIFT | FLAGS_AND_PKEY);
        BigEndian.putInt(target, offset + Layout.BTH_DEST_QP_WORD, request.destQp);
        BigEndian.putInt(target, offset + Layout.BTH_PSN_WORD, request.psn | Layout.ACK_REQUEST_BIT);
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
        if (payload == Long.BYTES) {
            // As it lies there: two copies of a word are quicker than a call for any length.
            BigEndian.putLong(target, at, BigEndian.getLong(request.buffer, request.index));
        } else if (payload > 0) {
            target.put(at, request.buffer, request.index, payload);
        }
        at += payload;
        for (int i = 0; i < pad; i++) {
            BigEndian.putByte(target, at + i, 0);
        }
        return at + pad - offset;
    }

    /**
     * Reads the bytes of a packet as a plain request.
     *
     * @param lengthBytes from BTH to pad, all of which lies within the buffer
     * @return false if it is none, or no packet at all
     */
    public static boolean read(ByteBuffer bytes, int offset, int lengthBytes, PlainRequest request) {
        if (lengthBytes <= BASE_BYTES) {
            return false;
        }
        int firstWord = BigEndian.getInt(bytes, offset);
        int destQp = BigEndian.getInt(bytes, offset + Layout.BTH_DEST_QP_WORD);
        int psnWord = BigEndian.getInt(bytes, offset + Layout.BTH_PSN_WORD);
        if ((firstWord & BELOW_OPCODE & ~PAD_BITS) != FLAGS_AND_PKEY
                || (destQp & ~Layout.LOW_24_BITS) != 0
                || (psnWord & ~Layout.LOW_24_BITS) != Layout.ACK_REQUEST_BIT) {
            return false;
        }
        Opcode opcode = plainOpcode(firstWord >>> OPCODE_SHIFT);
        if (opcode == null) {
            return false;
        }
        request.opcode = opcode;
        request.destQp = destQp;
        request.psn = psnWord & Layout.LOW_24_BITS;
        request.isAnswered = false;
        int pad = (firstWord & PAD_BITS) >>> PAD_SHIFT;
        int payloadBytes = lengthBytes - opcode.headerLengthBytes() - pad;
        return payloadBytes >= 0
                && (payloadBytes + pad & WORD_MASK) == 0
                && readExtension(opcode, payloadBytes, pad, bytes, offset, request);
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

    private static @Nullable Opcode plainOpcode(int code) {
        Opcode opcode = Opcode.of(code);
        if (opcode == null) {
            return null;
        }
        return switch (opcode) {
            case RDMA_WRITE_ONLY, SEND_ONLY, RDMA_READ_REQUEST, FETCH_ADD, COMPARE_SWAP -> opcode;
            default -> null;
        };
    }
}
