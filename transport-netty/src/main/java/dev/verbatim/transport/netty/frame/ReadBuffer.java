// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import dev.verbatim.transport.netty.socket.TransportLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one buffer that a connection's bytes arrive in. The channel reads straight into it, so nothing is copied or
 * allocated on the way to the parser, and a peer that sends too fast fills the sockets' buffers, not ours.
 *
 * <p>It is as small as a hello until the peer has said one.
 */
public final class ReadBuffer extends DefaultMaxMessagesRecvByteBufAllocator {

    private final ByteBufAllocator buffers;
    private ByteBuf bytes;
    private ByteBuffer view;
    private BooleanSupplier before = () -> false;
    private @Nullable ByteBuf few;

    /**
     * Room for the first bytes of a connection.
     *
     * @param sizeBytes how many bytes it holds until it is told to {@linkplain #grow grow}
     */
    public ReadBuffer(ByteBufAllocator buffers, int sizeBytes) {
        super(TransportLimits.MOST_READS_IN_A_ROW);
        this.buffers = buffers;
        this.bytes = buffers.directBuffer(sizeBytes, sizeBytes);
        this.view = bytes.nioBuffer(0, bytes.capacity());
    }

    /** Where the bytes are, big-endian; what lies from {@link #start} to {@link #end} has arrived and is unread. */
    public ByteBuffer view() {
        return view;
    }

    int start() {
        return bytes.readerIndex();
    }

    public int end() {
        return bytes.writerIndex();
    }

    public int sizeBytes() {
        return bytes.capacity();
    }

    /**
     * Takes what a channel has read, as much as there is room for: nothing is to be done for what it has read straight into
     * this buffer, and other buffers' bytes are copied.
     */
    @SuppressWarnings("ReferenceEquality")
    public void take(ByteBuf read) {
        if (read != bytes) {
            read.readBytes(bytes, Math.min(read.readableBytes(), bytes.writableBytes()));
        }
    }

    /** Whether a buffer that a channel has read holds bytes that have not been taken yet. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isLeftIn(ByteBuf read) {
        return read != bytes && read.isReadable();
    }

    /** Everything before {@code position} has been read. */
    public void readTo(int position) {
        bytes.readerIndex(position);
        if (position == bytes.writerIndex()) {
            bytes.clear();
        } else if (bytes.writableBytes() < bytes.capacity() / 2) {
            bytes.discardReadBytes();
        }
    }

    /** Becomes that large. Only when all bytes have been read. */
    public void grow(int sizeBytes) {
        bytes.release();
        bytes = buffers.directBuffer(sizeBytes, sizeBytes);
        view = bytes.nioBuffer(0, bytes.capacity());
    }

    /** So many bytes have come behind {@link #end()} that were not read by the channel. */
    public void arrived(int count) {
        bytes.writerIndex(bytes.writerIndex() + count);
    }

    /**
     * Is asked each time before the channel reads, and may read itself.
     *
     * @param reads whether the channel shall read but a few bytes, for most of what follows is wanted elsewhere
     */
    public void beforeEachRead(BooleanSupplier reads) {
        before = reads;
        few = buffers.directBuffer(TransportLimits.PEEK_BYTES, TransportLimits.PEEK_BYTES);
    }

    /** Gives back the memory; nothing may be read any more. */
    public void release() {
        bytes.release();
        if (few != null) {
            few.release();
        }
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator ignored) {
                boolean fewWanted = before.getAsBoolean();
                return fewWanted && few != null ? few.clear().retain() : bytes.retain();
            }

            @Override
            public int guess() {
                return bytes.writableBytes();
            }
        };
    }
}
