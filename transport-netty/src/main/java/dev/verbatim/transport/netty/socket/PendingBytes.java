// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import dev.verbatim.wire.MemoryFault;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Pieces of memory that are to be written one after the other, none of them copied. What was written is forgotten piece by
 * piece; memory that is released is replaced by a copy of what is left of it. On the lane.
 */
public final class PendingBytes {

    private static final int FIRST_ROOM = 8;
    private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

    // Arrays of the same length; of the first three, what lies outside of first to end is never read.
    private ByteBuffer[] buffers = {};
    private int[] from = {};
    private int[] to = {};
    private ByteBuffer[] views = {};
    private ByteBuffer[] viewed = {};
    private int first;
    private int end;
    private long leftBytes;

    /** Bytes of all pieces together. */
    public long leftBytes() {
        return leftBytes;
    }

    /** Forgets all pieces. */
    void clear() {
        first = 0;
        end = 0;
        leftBytes = 0;
    }

    /** Appends a piece; if it goes on where the last one ends, that becomes longer. */
    @SuppressWarnings("ReferenceEquality")
    public void add(ByteBuffer buffer, int offset, int lengthBytes) {
        leftBytes += lengthBytes;
        if (end > first && buffers[end - 1] == buffer && to[end - 1] == offset) {
            to[end - 1] += lengthBytes;
            return;
        }
        if (end == buffers.length) {
            grow();
        }
        buffers[end] = buffer;
        from[end] = offset;
        to[end] = offset + lengthBytes;
        end++;
    }

    public int count() {
        return end - first;
    }

    ByteBuffer buffer(int piece) {
        return buffers[first + piece];
    }

    int from(int piece) {
        return from[first + piece];
    }

    int to(int piece) {
        return to[first + piece];
    }

    /** Views of all pieces, with position and limit set, beginning at {@link #firstView()}. */
    ByteBuffer[] views() {
        for (int i = first; i < end; i++) {
            viewAt(i).limit(to[i]).position(from[i]);
        }
        return views;
    }

    int firstView() {
        return first;
    }

    /** So many bytes from the beginning were written. */
    void written(long bytes) {
        leftBytes -= bytes;
        long rest = bytes;
        while (rest > 0) {
            int length = to[first] - from[first];
            if (rest < length) {
                from[first] += (int) rest;
                return;
            }
            rest -= length;
            buffers[first++] = NO_BUFFER;
        }
        if (first == end) {
            first = 0;
            end = 0;
        }
    }

    /**
     * What is left of the pieces that lie in this memory is copied.
     *
     * @throws InternalError if the memory is gone ({@link MemoryFault})
     */
    @SuppressWarnings("ReferenceEquality")
    public void letGo(ByteBuffer memory) {
        for (int i = first; i < end; i++) {
            if (buffers[i] == memory) {
                copyOut(i);
            }
        }
        for (int i = 0; i < views.length; i++) {
            if (viewed[i] == memory) {
                views[i] = NO_BUFFER;
                viewed[i] = NO_BUFFER;
            }
        }
    }

    /** The same for all memory but this. */
    @SuppressWarnings("ReferenceEquality")
    public void letGoOfAllBut(ByteBuffer own) {
        for (int i = first; i < end; i++) {
            if (buffers[i] != own) {
                letGo(buffers[i]);
            }
        }
    }

    private void grow() {
        int room = Math.max(FIRST_ROOM, 2 * end);
        buffers = Arrays.copyOf(buffers, room);
        from = Arrays.copyOf(from, room);
        to = Arrays.copyOf(to, room);
        views = Arrays.copyOf(views, room);
        viewed = Arrays.copyOf(viewed, room);
        Arrays.fill(buffers, end, room, NO_BUFFER);
        Arrays.fill(views, end, room, NO_BUFFER);
        Arrays.fill(viewed, end, room, NO_BUFFER);
    }

    private void copyOut(int piece) {
        int length = to[piece] - from[piece];
        ByteBuffer copy = ByteBuffer.allocateDirect(length).put(0, buffers[piece], from[piece], length);
        MemoryFault.raise();
        buffers[piece] = copy;
        from[piece] = 0;
        to[piece] = length;
    }

    /** The view that was made for a buffer at this place serves it again, so that steady traffic makes no objects. */
    @SuppressWarnings("ReferenceEquality")
    private ByteBuffer viewAt(int piece) {
        if (viewed[piece] != buffers[piece]) {
            views[piece] = buffers[piece].duplicate();
            viewed[piece] = buffers[piece];
        }
        return views[piece];
    }
}
