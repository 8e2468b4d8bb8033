// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether bytes are a packet, and says why not. Real devices drop such packets in silence; so may a caller, but with
 * a sentence to log.
 *
 * <p>Refused are: a packet that ends before its headers do; an opcode that is not in the table; a transport version other
 * than 0; a reserved syndrome, flush type or flush level; bytes behind the headers of a packet that carries no payload; payload that
 * is not padded to four bytes; a pad count without payload to be padded.
 * The contents of pad bytes are undefined and are ignored. So are the reserved bits of BTH, DETH, XRCETH and FETH: InfiniBand
 * has them transmitted as 0 and ignored on receive, so that a later version can use them. No {@link Packet} holds them, so they
 * are not echoed either.
 *
 * <p>A packet does not carry its length, so the loss of whole words of payload at its end is detected by its carrier, by frame
 * length or invariant CRC, and not here. What needs more than the packet to be judged (path MTU, the length that RETH
 * announces, a credit, a key) is left to the queue pair.
 */
final class PacketCheck {
    private static final int WORD_BYTES = 4;

    private PacketCheck() {}

    /** Returns null if the bytes are a packet, otherwise a sentence. Reads nothing outside the range. */
    static @Nullable String refusal(ByteBuffer buffer, int offset, int lengthBytes) {
        if (offset < 0 || lengthBytes < 0 || offset > buffer.limit() - lengthBytes) {
            return "offset=" + offset + " lengthBytes=" + lengthBytes + " is not within the buffer's limit="
                    + buffer.limit() + "; wrap only bytes that have arrived";
        }
        return refusalOfHead(buffer, offset, lengthBytes);
    }

    /** The same for a packet of which no more than the headers need be in the buffer. */
    static @Nullable String refusalOfHead(ByteBuffer buffer, int offset, int lengthBytes) {
        if (lengthBytes < Header.BTH.sizeBytes()) {
            return tooShort("packet", lengthBytes, Header.BTH.sizeBytes(), Header.BTH);
        }
        int code = BigEndian.getUnsignedByte(buffer, offset + Layout.BTH_OPCODE);
        Opcode opcode = Opcode.of(code);
        if (opcode == null) {
            return "opcode=0x" + hex(code) + " is reserved, or of a transport that is not RC, UC, UD or XRC";
        }
        String refusal = baseHeader(opcode, buffer, offset);
        if (refusal == null) {
            refusal = extensionHeaders(opcode, buffer, offset, lengthBytes);
        }
        return refusal != null ? refusal : payload(opcode, buffer, offset, lengthBytes);
    }

    private static @Nullable String baseHeader(Opcode opcode, ByteBuffer buffer, int offset) {
        int version = BigEndian.getUnsignedByte(buffer, offset + Layout.BTH_FLAGS) & Layout.TRANSPORT_VERSION_MASK;
        if (version != 0) {
            return opcode + " has transportVersion=" + version + " != 0; only version 0 is defined";
        }
        return null;
    }

    private static @Nullable String extensionHeaders(Opcode opcode, ByteBuffer buffer, int offset, int lengthBytes) {
        if (lengthBytes < opcode.headerLengthBytes()) {
            return tooShort(opcode.toString(), lengthBytes, opcode.headerLengthBytes(), firstCut(opcode, lengthBytes));
        }
        if (opcode.has(Header.AETH)) {
            int word = BigEndian.getInt(buffer, offset + opcode.offsetOf(Header.AETH) + Layout.AETH_WORD);
            int syndrome = word >>> Layout.SYNDROME_SHIFT;
            if (Syndrome.isReserved(syndrome)) {
                return opcode + " has reserved syndrome=0x" + hex(syndrome)
                        + "; it must be one of 0x00-0x3f (ACK, RNR NAK) and 0x60-0x64 (NAK)";
            }
        }
        return opcode.has(Header.FETH)
                ? flush(opcode, BigEndian.getInt(buffer, offset + opcode.offsetOf(Header.FETH) + Layout.FETH_WORD))
                : null;
    }

    private static @Nullable String flush(Opcode opcode, int word) {
        int type = word & Layout.FLUSH_TYPE_MASK;
        if (type > Layout.MAX_FLUSH_TYPE) {
            return opcode + " has reserved flushType=" + type + " > " + Layout.MAX_FLUSH_TYPE
                    + "; it must be a set of 1 (global) and 2 (persistent)";
        }
        int level = word >>> Layout.FLUSH_LEVEL_SHIFT & Layout.FLUSH_LEVEL_MASK;
        if (level > Layout.MAX_FLUSH_LEVEL) {
            return opcode + " has reserved flushLevel=" + level + " > " + Layout.MAX_FLUSH_LEVEL
                    + "; it must be 0 (range) or 1 (memory region)";
        }
        return null;
    }

    private static @Nullable String payload(Opcode opcode, ByteBuffer buffer, int offset, int lengthBytes) {
        int padCount = BigEndian.getUnsignedByte(buffer, offset + Layout.BTH_FLAGS) >> Layout.PAD_COUNT_SHIFT
                & Layout.PAD_COUNT_MASK;
        int paddedBytes = lengthBytes - opcode.headerLengthBytes();
        if (paddedBytes > 0 && !opcode.carriesPayload()) {
            return opcode + " has " + paddedBytes + " bytes behind its headers (lengthBytes=" + lengthBytes
                    + " > headerLengthBytes=" + opcode.headerLengthBytes() + "); it carries no payload";
        }
        if (paddedBytes % WORD_BYTES != 0) {
            return opcode + " has payload and pad of " + paddedBytes + " bytes, no multiple of " + WORD_BYTES
                    + "; pad the payload";
        }
        if (padCount > paddedBytes) {
            return opcode + " has padCount=" + padCount + " > " + paddedBytes
                    + " bytes of payload and pad; a packet without payload has padCount=0";
        }
        return null;
    }

    private static Header firstCut(Opcode opcode, int lengthBytes) {
        Header first = null;
        for (Header header : Header.values()) {
            if (opcode.has(header)
                    && opcode.offsetOf(header) + header.sizeBytes() > lengthBytes
                    && (first == null || opcode.offsetOf(header) < opcode.offsetOf(first))) {
                first = header;
            }
        }
        return first == null ? Header.BTH : first;
    }

    private static String tooShort(String name, int lengthBytes, int headerLengthBytes, Header cut) {
        return name + " is cut off in its " + cut + ": lengthBytes=" + lengthBytes + " < headerLengthBytes="
                + headerLengthBytes + "; send all headers";
    }

    private static String hex(int value) {
        return Integer.toHexString(value);
    }
}
