// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.wire.MemoryFault;
import dev.verbatim.wire.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the payload of a long frame goes while it comes in: memory of the device that is its destination or, where that is
 * not granted or not any more, memory of the connection. One at a time. On the lane.
 */
public final class Landing {

    private final ByteBufAllocator buffers;
    private final LandingPlace place = new LandingPlace();
    private @Nullable ByteBuf own;
    private ByteBuffer ownView = place.buffer();
    private boolean open;
    private int lengthBytes;
    private int filledBytes;

    public Landing(ByteBufAllocator buffers) {
        this.buffers = buffers;
    }

    /** Set to the destination of the next payload before {@link #open} is called. */
    LandingPlace place() {
        return place;
    }

    /**
     * So many bytes are to come.
     *
     * @param granted whether they may be written there
     */
    void open(int bytes, boolean granted) {
        open = true;
        lengthBytes = bytes;
        filledBytes = 0;
        if (!granted) {
            useOwn();
        }
    }

    public boolean isOpen() {
        return open;
    }

    public int missingBytes() {
        return lengthBytes - filledBytes;
    }

    /** The memory that the next byte belongs in. If it is gone, as a read into it says, {@link #letGo()} comes before the next. */
    public ByteBuffer buffer() {
        return place.buffer();
    }

    /** Where in that memory. */
    public int nextIndex() {
        return place.index() + filledBytes;
    }

    /** So many bytes were put there. */
    public void filled(int bytes) {
        filledBytes += bytes;
    }

    /** Copies bytes that came another way; how many it took. */
    int take(ByteBuffer source, int from, int available) {
        int count = Math.min(available, missingBytes());
        if (!copied(source, from, place.buffer(), nextIndex(), count)) {
            letGo();
            ownView.put(filledBytes, source, from, count);
        }
        filledBytes += count;
        return count;
    }

    /** All have come: makes them the beginning of a payload. */
    void finish(Payload payload) {
        payload.add(place.buffer(), place.index(), lengthBytes);
        open = false;
    }

    /** Nothing more is written to this memory: the received part of the payload is moved to the memory of the connection, and so is the rest. */
    @SuppressWarnings("ReferenceEquality")
    public void letGo(ByteBuffer memory) {
        if (open && place.buffer() == memory) {
            letGo();
        }
    }

    /** The same, whatever memory it is. */
    @SuppressWarnings("ReferenceEquality")
    public void letGo() {
        if (open && place.buffer() != ownView) {
            ByteBuffer destination = place.buffer();
            int from = place.index();
            useOwn();
            // Where the program took its memory away, the device finds that out and refuses the payload.
            boolean unused = copied(destination, from, ownView, 0, filledBytes);
        } else if (!open) {
            place.clear();
        }
    }

    /** Copies bytes; false if memory is gone that they come from or go to. */
    private static boolean copied(ByteBuffer source, int from, ByteBuffer target, int index, int count) {
        try {
            target.put(index, source, from, count);
            MemoryFault.raise();
            return true;
        } catch (InternalError e) {
            return false;
        }
    }

    public void release() {
        open = false;
        place.clear();
        if (own != null) {
            own.release();
            own = null;
        }
    }

    private void useOwn() {
        ByteBuf bytes = own;
        if (bytes == null) {
            bytes = buffers.directBuffer(TransportLimits.LONGEST_LANDING_BYTES, TransportLimits.LONGEST_LANDING_BYTES);
            own = bytes;
            ownView = bytes.nioBuffer(0, bytes.capacity());
        }
        place.set(ownView, 0);
    }
}
