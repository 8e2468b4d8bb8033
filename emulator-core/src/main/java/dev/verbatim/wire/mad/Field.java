// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

/**
 * Where a number of at most 32 bits lies in a datagram: a run of bits in big-endian order, of which bit 0 is the most significant one of
 * the first byte.
 *
 * @param name as it is called in messages
 * @param firstBit counted from where the offsets of its table are counted from
 * @param bits 1 to 32, in at most 4 bytes
 */
record Field(String name, int firstBit, int bits) {

    private static final int LOW_BYTE = 0xff;

    Field {
        if (bits < 1 || firstBit % Byte.SIZE + bits > Integer.SIZE) {
            throw new IllegalArgumentException(
                    name + " of " + bits + " bits from bit " + firstBit + " on does not lie in 1..32 bits of 4 bytes");
        }
    }

    /** So many bits from the beginning of the byte on. */
    static Field at(int offset, int bits, String name) {
        return new Field(name, offset * Byte.SIZE, bits);
    }

    /** The bits {@code high} down to {@code low} of one byte; bit 7 is the most significant. */
    static Field within(int offset, int high, int low, String name) {
        return new Field(name, offset * Byte.SIZE + Byte.SIZE - 1 - high, high - low + 1);
    }

    /** The number, which is unsigned if it has less than 32 bits. */
    int get(byte[] bytes) {
        int first = firstBit / Byte.SIZE;
        int end = (firstBit + bits + Byte.SIZE - 1) / Byte.SIZE;
        int value = 0;
        for (int i = first; i < end; i++) {
            value = (value << Byte.SIZE) | (bytes[i] & LOW_BYTE);
        }
        int behind = end * Byte.SIZE - firstBit - bits;
        return (value >>> behind) & (-1 >>> (Integer.SIZE - bits));
    }

    boolean isSet(byte[] bytes) {
        return get(bytes) != 0;
    }

    void put(byte[] bytes, int value) {
        int first = firstBit / Byte.SIZE;
        int lastBit = firstBit + bits - 1;
        int bitsBehind = Byte.SIZE - 1 - lastBit % Byte.SIZE;
        int rest = value << bitsBehind;
        int own = (LOW_BYTE << bitsBehind) & LOW_BYTE;
        for (int i = lastBit / Byte.SIZE; i >= first; i--) {
            if (i == first) {
                own &= LOW_BYTE >>> firstBit % Byte.SIZE;
            }
            bytes[i] = (byte) ((bytes[i] & ~own) | (rest & own));
            rest >>>= Byte.SIZE;
            own = LOW_BYTE;
        }
    }

    void put(byte[] bytes, boolean value) {
        put(bytes, value ? 1 : 0);
    }

    /** Refuses a number that is wider than the field. Any int fits a field of 32 bits. */
    void check(int value) {
        if (bits < Integer.SIZE && value >>> bits != 0) {
            throw new IllegalArgumentException(name + "=" + Integer.toUnsignedString(value) + " is not in 0.."
                    + ((1L << bits) - 1) + "; the field holds no more");
        }
    }
}
