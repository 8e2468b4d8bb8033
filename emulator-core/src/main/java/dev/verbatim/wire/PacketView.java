// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A checked view of one packet in a buffer.
 *
 * <p>{@link #wrap} makes all checks; after it returned null, no accessor can leave the packet. An accessor of a header that the
 * opcode does not carry throws IllegalArgumentException, and any accessor throws IllegalStateException while nothing is
 * wrapped. A view may be wrapped again without end and allocates nothing unless it refuses. It reads the buffer anew at each
 * call, so the bytes must not change while it is in use.
 */
public final class PacketView {
    private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

    private ByteBuffer buffer = NO_BUFFER;
    private int offset;
    private int lengthBytes;
    private @Nullable Opcode opcode;

    /**
     * Looks at a range of a buffer, whose position and byte order do not matter.
     *
     * @param lengthBytes the whole packet, from BTH to pad, without invariant CRC
     * @return null if the range holds a packet; otherwise a sentence that says what is wrong with it, and nothing is wrapped
     */
    public @Nullable String wrap(ByteBuffer buffer, int offset, int lengthBytes) {
        return wrapChecked(PacketCheck.refusal(buffer, offset, lengthBytes), buffer, offset, lengthBytes);
    }

    private @Nullable String wrapChecked(@Nullable String refusal, ByteBuffer buffer, int offset, int lengthBytes) {
        if (refusal != null) {
            this.buffer = NO_BUFFER;
            opcode = null;
            return refusal;
        }
        this.buffer = buffer;
        this.offset = offset;
        this.lengthBytes = lengthBytes;
        opcode = Opcode.of(BigEndian.getUnsignedByte(buffer, offset + Layout.BTH_OPCODE));
        return null;
    }

    /**
     * Looks at the headers of a packet whose payload is not in the buffer, or not all of it: what concerns payload must not be
     * asked for but its length.
     *
     * @param headBytes how much of the packet is in the buffer, at least the longest headers there are
     * @param wholeBytes the whole packet, as for {@link #wrap}
     * @return as {@link #wrap}
     */
    public @Nullable String wrapHead(ByteBuffer buffer, int offset, int headBytes, int wholeBytes) {
        if (headBytes < Opcode.LONGEST_HEADERS_BYTES || offset > buffer.limit() - headBytes) {
            throw new IllegalArgumentException(
                    "headBytes=" + headBytes + " < " + Opcode.LONGEST_HEADERS_BYTES + ", or not within the buffer");
        }
        return wrapChecked(PacketCheck.refusalOfHead(buffer, offset, wholeBytes), buffer, offset, wholeBytes);
    }

    public Opcode opcode() {
        Opcode wrapped = opcode;
        if (wrapped == null) {
            throw new IllegalStateException("no packet is wrapped; read only after wrap() returned null");
        }
        return wrapped;
    }

    public boolean solicited() {
        return (flags() & Layout.SOLICITED_BIT) != 0;
    }

    public boolean migRequest() {
        return (flags() & Layout.MIG_REQUEST_BIT) != 0;
    }

    /** Returns how many pad bytes follow the payload, 0 to 3. */
    public int padCount() {
        return flags() >> Layout.PAD_COUNT_SHIFT & Layout.PAD_COUNT_MASK;
    }

    public int pkey() {
        return BigEndian.getUnsignedShort(buffer, start(Header.BTH) + Layout.BTH_PKEY);
    }

    public boolean fecn() {
        return (wordOf(Header.BTH, Layout.BTH_DEST_QP_WORD) & Layout.FECN_BIT) != 0;
    }

    public boolean becn() {
        return (wordOf(Header.BTH, Layout.BTH_DEST_QP_WORD) & Layout.BECN_BIT) != 0;
    }

    public int destQp() {
        return wordOf(Header.BTH, Layout.BTH_DEST_QP_WORD) & Layout.LOW_24_BITS;
    }

    public boolean ackRequest() {
        return (wordOf(Header.BTH, Layout.BTH_PSN_WORD) & Layout.ACK_REQUEST_BIT) != 0;
    }

    public int psn() {
        return wordOf(Header.BTH, Layout.BTH_PSN_WORD) & Layout.LOW_24_BITS;
    }

    /** Returns the remote virtual address of RETH or AtomicETH. */
    public long remoteAddress() {
        return BigEndian.getLong(buffer, start(remote()) + Layout.REMOTE_ADDRESS);
    }

    /** Returns the R_Key of RETH or AtomicETH. */
    public int remoteKey() {
        return wordOf(remote(), Layout.REMOTE_KEY);
    }

    /** Returns the length in RETH, an unsigned 32-bit number of bytes. */
    public int dmaLengthBytes() {
        return wordOf(Header.RETH, Layout.RETH_DMA_LENGTH);
    }

    public long swapOrAdd() {
        return BigEndian.getLong(buffer, start(Header.ATOMIC_ETH) + Layout.ATOMIC_ETH_SWAP_OR_ADD);
    }

    public long compare() {
        return BigEndian.getLong(buffer, start(Header.ATOMIC_ETH) + Layout.ATOMIC_ETH_COMPARE);
    }

    /** Returns the syndrome of AETH, never a reserved one; see {@link Syndrome}. */
    public int syndrome() {
        return wordOf(Header.AETH, Layout.AETH_WORD) >>> Layout.SYNDROME_SHIFT;
    }

    public int messageSequence() {
        return wordOf(Header.AETH, Layout.AETH_WORD) & Layout.LOW_24_BITS;
    }

    public long originalData() {
        return BigEndian.getLong(buffer, start(Header.ATOMIC_ACK_ETH) + Layout.ATOMIC_ACK_ETH_ORIGINAL_DATA);
    }

    public int immediate() {
        return wordOf(Header.IMM_DT, Layout.IMM_DT_IMMEDIATE);
    }

    public int invalidateKey() {
        return wordOf(Header.IETH, Layout.IETH_KEY);
    }

    public int flushType() {
        return wordOf(Header.FETH, Layout.FETH_WORD) & Layout.FLUSH_TYPE_MASK;
    }

    public int flushLevel() {
        return wordOf(Header.FETH, Layout.FETH_WORD) >>> Layout.FLUSH_LEVEL_SHIFT & Layout.FLUSH_LEVEL_MASK;
    }

    public int queueKey() {
        return wordOf(Header.DETH, Layout.DETH_QUEUE_KEY);
    }

    public int sourceQp() {
        return wordOf(Header.DETH, Layout.DETH_SOURCE_QP_WORD) & Layout.LOW_24_BITS;
    }

    public int srqNumber() {
        return wordOf(Header.XRCETH, Layout.XRCETH_WORD) & Layout.LOW_24_BITS;
    }

    /** Returns where the payload begins in the buffer, or would begin if there were any. */
    public int payloadOffset() {
        return offset + opcode().headerLengthBytes();
    }

    /** Returns the length of the payload without its pad. */
    public int payloadLengthBytes() {
        return lengthBytes - opcode().headerLengthBytes() - padCount();
    }

    /** Fills a holder with this packet. Its payload becomes one piece that lies in the wrapped buffer, or none. */
    public void readInto(Packet packet) {
        readHeadInto(packet);
        packet.payload().add(buffer, payloadOffset(), payloadLengthBytes());
    }

    /** Fills a holder with the headers of this packet, and no payload. */
    public void readHeadInto(Packet packet) {
        Opcode carried = opcode();
        packet.begin(carried)
                .solicited(solicited())
                .migRequest(migRequest())
                .pkey(pkey())
                .fecn(fecn())
                .becn(becn())
                .destQp(destQp())
                .ackRequest(ackRequest())
                .psn(psn());
        if (carried.has(Header.RETH)) {
            packet.remoteAddress(remoteAddress()).remoteKey(remoteKey()).dmaLengthBytes(dmaLengthBytes());
        }
        if (carried.has(Header.ATOMIC_ETH)) {
            packet.remoteAddress(remoteAddress()).remoteKey(remoteKey());
            packet.swapOrAdd(swapOrAdd()).compare(compare());
        }
        if (carried.has(Header.AETH)) {
            packet.syndrome(syndrome()).messageSequence(messageSequence());
        }
        if (carried.has(Header.ATOMIC_ACK_ETH)) {
            packet.originalData(originalData());
        }
        if (carried.has(Header.IMM_DT)) {
            packet.immediate(immediate());
        }
        if (carried.has(Header.IETH)) {
            packet.invalidateKey(invalidateKey());
        }
        if (carried.has(Header.FETH)) {
            packet.flushType(flushType()).flushLevel(flushLevel());
        }
        if (carried.has(Header.DETH)) {
            packet.queueKey(queueKey()).sourceQp(sourceQp());
        }
        if (carried.has(Header.XRCETH)) {
            packet.srqNumber(srqNumber());
        }
    }

    private int flags() {
        return BigEndian.getUnsignedByte(buffer, start(Header.BTH) + Layout.BTH_FLAGS);
    }

    private Header remote() {
        return opcode().has(Header.ATOMIC_ETH) ? Header.ATOMIC_ETH : Header.RETH;
    }

    private int wordOf(Header header, int field) {
        return BigEndian.getInt(buffer, start(header) + field);
    }

    private int start(Header header) {
        return offset + opcode().offsetOf(header);
    }
}
