// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of a connection tell each other in the private data of connection management: 40 bytes, all big-endian.
 *
 * @param isBigEndian whether that end writes the entries of lists in big-endian order
 * @param credits how many messages it has receives for
 * @param iomaps how many mappings it has room for, which follow its list of buffers
 * @param list where the peer writes which buffers it may use
 * @param buffer the first that it may use
 */
record ConnectionData(boolean isBigEndian, int credits, int iomaps, Place list, Place buffer) {

    /** The length in bytes. */
    static final int BYTES = 40;

    private static final int VERSION = 1;
    private static final int BIG_ENDIAN = 1, IOMAP = 2;
    private static final int SCALE_BITS = 8, SCALED = 1 << (SCALE_BITS - 1);
    private static final int RESERVED_BYTES = 3;

    /** Memory of one end: address, key, and length in bytes, or entries. */
    record Place(long address, int key, int length) {

        void writeTo(ByteBuffer buffer) {
            buffer.putLong(address).putInt(key).putInt(length);
        }

        static Place readFrom(ByteBuffer buffer) {
            return new Place(buffer.getLong(), buffer.getInt(), buffer.getInt());
        }
    }

    byte[] encoded() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.put((byte) VERSION)
                .put((byte) (IOMAP | (isBigEndian ? BIG_ENDIAN : 0)))
                .putShort((short) credits);
        bytes.put(new byte[RESERVED_BYTES]).put((byte) scaled(iomaps));
        list.writeTo(bytes);
        buffer.writeTo(bytes);
        return bytes.array();
    }

    /** What the peer said; null if it does not speak this protocol. */
    static @Nullable ConnectionData decoded(byte[] privateData) {
        ByteBuffer bytes = ByteBuffer.wrap(privateData).order(ByteOrder.BIG_ENDIAN);
        try {
            int version = bytes.get();
            int flags = bytes.get();
            int credits = Short.toUnsignedInt(bytes.getShort());
            bytes.position(bytes.position() + RESERVED_BYTES);
            int scale = Byte.toUnsignedInt(bytes.get());
            Place list = Place.readFrom(bytes);
            Place buffer = Place.readFrom(bytes);
            int iomaps = (flags & IOMAP) == 0 ? 0 : unscaled(scale);
            boolean isSane = version == VERSION && list.length() > 0 && buffer.length() >= 0;
            return isSane ? new ConnectionData((flags & BIG_ENDIAN) != 0, credits, iomaps, list, buffer) : null;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Numbers above 128 are told in steps of 256. */
    private static int scaled(int value) {
        return value <= SCALED ? value : SCALED | (value >> SCALE_BITS);
    }

    private static int unscaled(int value) {
        return value <= SCALED ? value : (value & ~SCALED) << SCALE_BITS;
    }
}
