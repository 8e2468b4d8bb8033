// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The payload of a packet as a list of pieces of memory, in order, none of them copied.
 *
 * <p>A piece is a buffer and a range of it. Positions are absolute, so a buffer's own position, mark and byte order neither
 * matter nor change; its limit bounds what may be named. The list may be cleared and filled again without end; it allocates
 * only when it first holds more pieces than ever before and more than 32. Not safe for use by several threads.
 */
public final class Payload {
    private static final int USUAL_PIECES = 32;
    private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

    // Three arrays of the same length; what lies at or behind index pieces is never read.
    private ByteBuffer[] buffers;
    private int[] offsets;
    private int[] lengths;
    private int pieces;
    private int lengthBytes;

    /** Without pieces, and with room for 32. */
    public Payload() {
        this(USUAL_PIECES);
    }

    /** Without pieces, and with room for so many before it allocates; 1 at least. */
    public Payload(int room) {
        buffers = new ByteBuffer[room];
        offsets = new int[room];
        lengths = new int[room];
    }

    /** Forgets all pieces, and the buffers with them. */
    public void clear() {
        Arrays.fill(buffers, 0, pieces, NO_BUFFER);
        pieces = 0;
        lengthBytes = 0;
    }

    /**
     * Appends a piece; one of no bytes adds nothing.
     *
     * @throws IndexOutOfBoundsException if the range does not lie within the buffer's limit
     * @throws ArithmeticException if the payload would exceed 2^31-1 bytes
     */
    public void add(ByteBuffer buffer, int offset, int lengthBytes) {
        Objects.checkFromIndexSize(offset, lengthBytes, buffer.limit());
        if (lengthBytes == 0) {
            return;
        }
        int sum = Math.addExact(this.lengthBytes, lengthBytes);
        if (pieces == buffers.length) {
            grow();
        }
        buffers[pieces] = buffer;
        offsets[pieces] = offset;
        lengths[pieces] = lengthBytes;
        pieces++;
        this.lengthBytes = sum;
    }

    /** Appends a range of another payload, piece by piece. */
    public void addRange(Payload other, int from, int rangeBytes) {
        Objects.checkFromIndexSize(from, rangeBytes, other.lengthBytes);
        int skip = from;
        int left = rangeBytes;
        for (int piece = 0; left > 0; piece++) {
            int available = other.lengths[piece] - skip;
            if (available <= 0) {
                skip -= other.lengths[piece];
                continue;
            }
            int run = Math.min(available, left);
            add(other.buffers[piece], other.offsets[piece] + skip, run);
            skip = 0;
            left -= run;
        }
    }

    /** Returns the length of all pieces together. */
    public int lengthBytes() {
        return lengthBytes;
    }

    /** Returns how many pieces there are; each has at least one byte. */
    public int pieces() {
        return pieces;
    }

    public ByteBuffer buffer(int piece) {
        return buffers[Objects.checkIndex(piece, pieces)];
    }

    /** Returns where the piece begins in its buffer. */
    public int offset(int piece) {
        return offsets[Objects.checkIndex(piece, pieces)];
    }

    /** Returns the length of the piece in bytes. */
    public int length(int piece) {
        return lengths[Objects.checkIndex(piece, pieces)];
    }

    /**
     * Copies a range of the payload into a buffer, whose position stays as it is; a piece that lies there already is left alone.
     *
     * @param from where the range begins, in bytes from the start of the payload
     * @throws IndexOutOfBoundsException if the range is not within the payload, or does not fit the destination's limit
     * @throws InternalError if memory is gone that it copies from or to ({@link MemoryFault})
     */
    public void copyTo(int from, ByteBuffer destination, int destinationOffset, int lengthBytes) {
        Objects.checkFromIndexSize(from, lengthBytes, this.lengthBytes);
        Objects.checkFromIndexSize(destinationOffset, lengthBytes, destination.limit());
        int skip = from;
        int to = destinationOffset;
        int left = lengthBytes;
        for (int piece = 0; left > 0; piece++) {
            int available = lengths[piece] - skip;
            if (available <= 0) {
                skip -= lengths[piece];
                continue;
            }
            int run = Math.min(available, left);
            if (!lies(piece, skip, destination, to)) {
                destination.put(to, buffers[piece], offsets[piece] + skip, run);
            }
            skip = 0;
            to += run;
            left -= run;
        }
        MemoryFault.raise();
    }

    /** Returns a copy of all bytes. */
    public byte[] toBytes() {
        byte[] bytes = new byte[lengthBytes];
        copyTo(0, ByteBuffer.wrap(bytes), 0, lengthBytes);
        return bytes;
    }

    /** Whether a piece was put where it is to go before it was known that it may. */
    @SuppressWarnings("ReferenceEquality")
    private boolean lies(int piece, int skip, ByteBuffer destination, int to) {
        return buffers[piece] == destination && offsets[piece] + skip == to;
    }

    private void grow() {
        int capacity = buffers.length * 2;
        buffers = Arrays.copyOf(buffers, capacity);
        offsets = Arrays.copyOf(offsets, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }
}
