// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The one buffer that a connection writes from: filled with packets, written as a whole, filled again. */
final class WriteBatch {

    static final int LENGTH_BYTES = 4;
    static final int CHECKSUM_BYTES = 4;

    private static final int LARGEST_FRAME_BYTES = LENGTH_BYTES + TransportLimits.LARGEST_PACKET_BYTES + CHECKSUM_BYTES;

    private final ByteBuf bytes;
    private final ByteBuffer view;
    private final boolean checksum;
    private final CRC32C crc = new CRC32C();
    private int filledBytes;

    WriteBatch(ByteBufAllocator buffers, boolean checksum) {
        this.bytes = buffers.directBuffer(TransportLimits.WRITE_BATCH_BYTES, TransportLimits.WRITE_BATCH_BYTES);
        this.view = bytes.nioBuffer(0, bytes.capacity());
        this.checksum = checksum;
    }

    boolean isEmpty() {
        return filledBytes == 0;
    }

    /** Whether another packet fits, however long. */
    boolean hasRoom() {
        return view.capacity() - filledBytes >= LARGEST_FRAME_BYTES;
    }

    /**
     * Copies a packet into the batch, which has room.
     *
     * @return the bytes that it takes there
     * @throws IllegalArgumentException if the packet is longer than packets may be; then nothing is added
     */
    int add(Packet packet) {
        int packetBytes = PacketWriter.encodedLengthBytes(packet);
        if (packetBytes > TransportLimits.LARGEST_PACKET_BYTES) {
            throw new IllegalArgumentException(packet + " has packetBytes=" + packetBytes + " > "
                    + TransportLimits.LARGEST_PACKET_BYTES + "; split messages by the path MTU");
        }
        int packetAt = filledBytes + LENGTH_BYTES;
        PacketWriter.write(packet, view, packetAt);
        view.putInt(filledBytes, packetBytes);
        int end = packetAt + packetBytes;
        if (checksum) {
            view.putInt(end, checksumOf(crc, view, packetAt, packetBytes));
            end += CHECKSUM_BYTES;
        }
        int frameBytes = end - filledBytes;
        filledBytes = end;
        return frameBytes;
    }

    /** Bytes that were added and not written yet: those in the batch, or those of it that the socket has not taken. */
    int unwrittenBytes() {
        // Whoever writes it holds it, and moves the reader index on.
        return filledBytes + (bytes.refCnt() > 1 ? bytes.readableBytes() : 0);
    }

    /** The batch as bytes to write, which the receiver releases; the batch is empty again once they are written. */
    ByteBuf take() {
        bytes.setIndex(0, filledBytes);
        filledBytes = 0;
        return bytes.retain();
    }

    /** Gives back the memory as soon as what was taken is written. */
    void release() {
        bytes.release();
    }

    /** CRC32C of a range of a buffer, whose position and limit end where they began. */
    static int checksumOf(CRC32C crc, ByteBuffer bytes, int offset, int lengthBytes) {
        int position = bytes.position();
        int limit = bytes.limit();
        bytes.limit(offset + lengthBytes).position(offset);
        crc.reset();
        crc.update(bytes);
        bytes.limit(limit).position(position);
        return (int) crc.getValue();
    }
}
