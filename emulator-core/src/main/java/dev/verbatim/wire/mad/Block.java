// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where a field of whole bytes lies.
 *
 * @param name as it is called in messages
 * @param offset counted from where the offsets of its table are counted from
 */
record Block(String name, int offset, int lengthBytes) {

    private static final int GID_BYTES = 16;

    static Block gid(int offset, String name) {
        return new Block(name, offset, GID_BYTES);
    }

    /** From there to the end of the body. */
    static Block privateData(int offset) {
        return new Block("privateData", offset, Mad.BODY_BYTES - offset);
    }

    Octets get(byte[] bytes) {
        return first(bytes, lengthBytes);
    }

    /** So many of its bytes; the others mean nothing. */
    Octets first(byte[] bytes, int count) {
        if (count > lengthBytes) {
            throw new MadFormatException(
                    name + " of " + count + " bytes > " + lengthBytes + ", which is all there is room for");
        }
        return Octets.of(Arrays.copyOfRange(bytes, offset, offset + count));
    }

    void put(byte[] bytes, Octets value) {
        value.asByteBuffer().get(0, bytes, offset, value.lengthBytes());
    }

    Gid getGid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, lengthBytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    void put(byte[] bytes, Gid value) {
        ByteBuffer.wrap(bytes, offset, lengthBytes).putLong(value.prefix()).putLong(value.interfaceId());
    }

    /** The same bytes, and zeros behind them; refuses what is too long. */
    Octets padded(Octets value) {
        if (value.lengthBytes() == lengthBytes) {
            return value;
        }
        check(value);
        return Octets.of(Arrays.copyOf(value.toBytes(), lengthBytes));
    }

    /** Refuses what is too long. */
    void check(Octets value) {
        if (value.lengthBytes() > lengthBytes) {
            throw new IllegalArgumentException(name + " of " + value.lengthBytes() + " bytes > " + lengthBytes
                    + ", which is all there is room for");
        }
    }
}
