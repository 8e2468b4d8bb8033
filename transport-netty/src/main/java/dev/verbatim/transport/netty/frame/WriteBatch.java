// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import dev.verbatim.transport.netty.socket.PendingBytes;
import dev.verbatim.transport.netty.socket.RawSocket;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.wire.MemoryFault;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketWriter;
import dev.verbatim.wire.Payload;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainFormat;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.SegmentRun;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.Lock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a connection writes next: frames, each a head, a packet and perhaps a checksum. Heads and short payloads are copied into one
 * buffer, long payloads are written from where they lie. Filled with packets, written as a whole, filled again. On the lane.
 *
 * <p>The head is four bytes: in the lower three the length of the packet, above them how many packets the frame stands for, less
 * one, and in the highest bit whether a {@link GrhPart} stands between head and packet, as it does before datagrams.
 */
public final class WriteBatch {

    public static final int HEAD_BYTES = 4;
    public static final int CHECKSUM_BYTES = 4;
    public static final int PACKETS_SHIFT = 24;
    public static final int PACKETS_MASK = 0x7f;
    public static final int LENGTH_MASK = 0xffffff;

    private static final int LARGEST_COPIED_FRAME_BYTES = HEAD_BYTES
            + Opcode.LONGEST_HEADERS_BYTES
            + TransportLimits.MOST_PACKETS_OF_COPIED_RUN * SegmentRun.MOST_MTU_BYTES
            + CHECKSUM_BYTES;
    private static final int LARGEST_PACKET_FRAME_BYTES =
            HEAD_BYTES + GrhPart.SIZE_BYTES + TransportLimits.LARGEST_PACKET_BYTES + CHECKSUM_BYTES;

    private final ByteBuf bytes;
    private final ByteBuffer view;
    private final boolean checksum;
    private final @Nullable RawSocket socket;
    private final Lock alone;
    private final CRC32C crc = new CRC32C();
    private final PendingBytes pieces = new PendingBytes();
    private final Rest rest = new Rest();
    private int filledBytes;
    private int viewedBytes;

    /** Bytes of the buffer that are not among the pieces yet begin here. */
    private int looseFrom;

    /** Whether the last payload that is written from where it lies ends its message. */
    private boolean endsMessage;

    private boolean refused;

    /** Whether all bytes are in it that were added; if not, memory was gone that they were to be copied from. */
    private boolean whole = true;

    /**
     * @param socket takes what is written; null if only buffers can be written
     * @param alone held while the channel writes what is left, which is no step of the lane
     */
    public WriteBatch(ByteBufAllocator buffers, boolean checksum, @Nullable RawSocket socket, Lock alone) {
        this.alone = alone;
        this.bytes = buffers.directBuffer(TransportLimits.WRITE_BATCH_BYTES, TransportLimits.WRITE_BATCH_BYTES);
        this.view = bytes.nioBuffer(0, bytes.capacity());
        this.checksum = checksum;
        this.socket = checksum ? null : socket;
    }

    /** How many packets of a run it can take at once. */
    public int mostPacketsOfRun() {
        return socket == null ? TransportLimits.MOST_PACKETS_OF_COPIED_RUN : SegmentRun.MOST_PACKETS;
    }

    public boolean isEmpty() {
        return filledBytes == 0;
    }

    /** Whether another frame fits, however long. */
    public boolean hasRoom() {
        int left = view.capacity() - filledBytes;
        return socket == null
                ? left >= LARGEST_COPIED_FRAME_BYTES
                : left >= LARGEST_PACKET_FRAME_BYTES
                        && viewedBytes < mostViewedBytes()
                        && pieces.count() < TransportLimits.MOST_PIECES_OF_BATCH;
    }

    private int mostViewedBytes() {
        return endsMessage ? TransportLimits.MOST_VIEWED_BYTES_OF_MESSAGES : TransportLimits.MOST_VIEWED_BYTES;
    }

    /**
     * Adds a packet, or run, to the batch, which has room.
     *
     * @return the bytes that it takes there
     * @throws IllegalArgumentException if it is longer than may be; then nothing is added
     */
    public int add(Packet packet) {
        int packetBytes = PacketWriter.encodedLengthBytes(packet);
        int most = packet.packets() == 1
                ? TransportLimits.LARGEST_PACKET_BYTES
                : Opcode.LONGEST_HEADERS_BYTES + mostPacketsOfRun() * SegmentRun.MOST_MTU_BYTES;
        if (packetBytes > most) {
            throw new IllegalArgumentException(
                    packet + " has packetBytes=" + packetBytes + " > " + most + "; split messages by the path MTU");
        }
        int partAt = filledBytes + HEAD_BYTES;
        boolean hasPart = GrhPart.isOf(packet);
        int packetAt = partAt + (hasPart ? GrhPart.SIZE_BYTES : 0);
        view.putInt(
                filledBytes, (hasPart ? GrhPart.FLAG : 0) | ((packet.packets() - 1) << PACKETS_SHIFT) | packetBytes);
        if (hasPart) {
            GrhPart.write(packet, view, partAt);
        }
        int frameBytes = packetAt - filledBytes + packetBytes + (checksum ? CHECKSUM_BYTES : 0);
        if (packetBytes >= TransportLimits.SHORTEST_VIEW_BYTES && socket != null) {
            addLong(packet, packetAt);
            return frameBytes;
        }
        try {
            PacketWriter.write(packet, view, packetAt);
        } catch (InternalError e) {
            whole = false;
        }
        if (checksum) {
            view.putInt(packetAt + packetBytes, checksumOf(crc, view, partAt, packetAt - partAt + packetBytes));
        }
        filledBytes += frameBytes;
        return frameBytes;
    }

    /** Whether requests and answers on the fast path are written as frames here: not where frames have checksums. */
    public boolean takesPlain() {
        return !checksum;
    }

    /**
     * Adds a request on the fast path to the batch, which has room; the frame is that of the same packet.
     *
     * @return the bytes that it takes there
     */
    public int add(PlainRequest request) {
        try {
            return addPlain(PlainFormat.write(request, view, filledBytes + HEAD_BYTES));
        } catch (InternalError e) {
            return addNothing();
        }
    }

    /** The same for an answer. */
    public int add(PlainAnswer answer) {
        try {
            return addPlain(PlainFormat.write(answer, view, filledBytes + HEAD_BYTES));
        } catch (InternalError e) {
            return addNothing();
        }
    }

    /** The connection ends with this batch. */
    private int addNothing() {
        whole = false;
        return addPlain(0);
    }

    private int addPlain(int packetBytes) {
        view.putInt(filledBytes, packetBytes);
        filledBytes += HEAD_BYTES + packetBytes;
        return HEAD_BYTES + packetBytes;
    }

    /** Copies the headers and what is short of the payload; what is long, or finds no room, stays where it is. */
    private void addLong(Packet packet, int packetAt) {
        filledBytes = packetAt + PacketWriter.writeHeaders(packet, view, packetAt);
        endsMessage = packet.opcode().endsMessage();
        Payload payload = packet.payload();
        for (int i = 0; i < payload.pieces(); i++) {
            int lengthBytes = payload.length(i);
            boolean copied = lengthBytes < TransportLimits.SHORTEST_VIEW_BYTES
                    && view.capacity() - filledBytes - lengthBytes >= Integer.BYTES;
            if (copied) {
                whole &= isCopied(payload, i, lengthBytes);
                filledBytes += lengthBytes;
            } else {
                gatherLoose();
                pieces.add(payload.buffer(i), payload.offset(i), lengthBytes);
                viewedBytes += lengthBytes;
            }
        }
        for (int pad = PacketWriter.padCount(payload.lengthBytes()); pad > 0; pad--) {
            view.put(filledBytes++, (byte) 0);
        }
    }

    private boolean isCopied(Payload payload, int piece, int lengthBytes) {
        try {
            view.put(filledBytes, payload.buffer(piece), payload.offset(piece), lengthBytes);
            MemoryFault.raise();
            return true;
        } catch (InternalError e) {
            return false;
        }
    }

    private void gatherLoose() {
        if (filledBytes > looseFrom) {
            pieces.add(view, looseFrom, filledBytes - looseFrom);
            looseFrom = filledBytes;
        }
    }

    /** Bytes that were added and not written yet: those in the batch, or those of it that the socket has not taken. */
    public long unwrittenBytes() {
        if (socket != null) {
            return pieces.leftBytes() + filledBytes - looseFrom;
        }
        // The writer retains it and advances the reader index.
        int handedOut = bytes.refCnt() > 1 ? bytes.readableBytes() : 0;
        return (long) filledBytes + handedOut;
    }

    /** Whether any thread may write it; if not, only the channel writes. */
    public boolean isDirect() {
        return socket != null;
    }

    /** Whether it may be written: false once memory was gone that a packet was to be copied from. */
    public boolean isWhole() {
        return whole;
    }

    /** Whether the last write failed: the connection is broken, or memory that was to be written is not there any more. */
    public boolean isRefused() {
        return refused;
    }

    /** Writes what the socket takes at once; whether that was all, so that the batch is empty again. */
    public boolean write() {
        RawSocket to = socket;
        if (to == null) {
            return false;
        }
        gatherLoose();
        try {
            to.write(pieces);
        } catch (IOException | NotYetConnectedException e) {
            // The channel, when it writes the rest, meets the error again and ends the connection.
            refused = true;
            return false;
        }
        if (pieces.leftBytes() > 0) {
            return false;
        }
        clear();
        return true;
    }

    /** What is left, to be written by the channel, which releases it; the batch may be filled again once it is written. */
    public ReferenceCounted take() {
        if (socket != null) {
            return rest.begin();
        }
        bytes.setIndex(0, filledBytes);
        clear();
        return bytes.retain();
    }

    private void clear() {
        filledBytes = 0;
        viewedBytes = 0;
        looseFrom = 0;
    }

    /** What is left to be written of this memory is written from a copy. */
    public void letGo(ByteBuffer memory) {
        try {
            pieces.letGo(memory);
        } catch (InternalError e) {
            whole = false;
        }
    }

    /** The same for all memory of others. */
    public void letGo() {
        try {
            pieces.letGoOfAllBut(view);
        } catch (InternalError e) {
            whole = false;
        }
    }

    /** Gives back the memory as soon as what was taken is written. */
    public void release() {
        bytes.release();
    }

    /** CRC32C of a range of a buffer, whose position and limit end where they began. */
    static int checksumOf(CRC32C crc, ByteBuffer bytes, int offset, int lengthBytes) {
        crc.reset();
        addToChecksum(crc, bytes, offset, lengthBytes);
        return (int) crc.getValue();
    }

    /** Lets a CRC32C go on over a range of a buffer, whose position and limit end where they began. */
    static void addToChecksum(CRC32C crc, ByteBuffer bytes, int offset, int lengthBytes) {
        int position = bytes.position();
        int limit = bytes.limit();
        bytes.limit(offset + lengthBytes).position(offset);
        crc.update(bytes);
        bytes.limit(limit).position(position);
    }

    /** The pieces that are left, as a channel takes them; always the same one. */
    private final class Rest extends AbstractReferenceCounted implements FileRegion {

        private long count;

        Rest begin() {
            count = pieces.leftBytes();
            retain();
            return this;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) throws IOException {
            alone.lock();
            try {
                long written = socket == null ? 0 : socket.write(pieces);
                if (pieces.leftBytes() == 0) {
                    clear();
                }
                return written;
            } finally {
                alone.unlock();
            }
        }

        @Override
        public long position() {
            return 0;
        }

        @Override
        public long count() {
            return count;
        }

        @Override
        public long transferred() {
            return count - pieces.leftBytes();
        }

        @Override
        @Deprecated
        @SuppressWarnings("InlineMeSuggester") // Netty's own, which it still asks for
        public long transfered() {
            return transferred();
        }

        @Override
        public FileRegion retain() {
            super.retain();
            return this;
        }

        @Override
        public FileRegion retain(int increment) {
            super.retain(increment);
            return this;
        }

        @Override
        public FileRegion touch() {
            return this;
        }

        @Override
        public FileRegion touch(Object hint) {
            return this;
        }

        /** There is nothing to give back that the batch does not keep. */
        @Override
        protected void deallocate() {}
    }
}
