// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

/**
 * Where a field of a datagram lies: a run of bits in big-endian order, of which bit 0 is the most significant one of the first
 * byte.
 *
 * @param name as it is called in messages
 * @param firstBit counted from where the offsets of its table are counted from
 * @param bits 1 to 64, in at most 8 bytes
 */
record Field(String name, int firstBit, int bits) {

    private static final int LOW_BYTE = 0xff;

    Field {
        if (bits < 1 || firstBit % Byte.SIZE + bits > Long.SIZE) {
            throw new IllegalArgumentException(
                    name + " of " + bits + " bits from bit " + firstBit + " on does not lie in 1..64 bits of 8 bytes");
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

    long get(byte[] bytes) {
        int first = firstBit / Byte.SIZE;
        int lastBit = firstBit + bits - 1;
        long value = bytes[first] & (LOW_BYTE >>> firstBit % Byte.SIZE);
        for (int i = first + 1; i <= lastBit / Byte.SIZE; i++) {
            value = (value << Byte.SIZE) | (bytes[i] & LOW_BYTE);
        }
        return value >>> (Byte.SIZE - 1 - lastBit % Byte.SIZE);
    }

    int getInt(byte[] bytes) {
        return (int) get(bytes);
    }

    boolean isSet(byte[] bytes) {
        return get(bytes) != 0;
    }

    void put(byte[] bytes, long value) {
        int first = firstBit / Byte.SIZE;
        int lastBit = firstBit + bits - 1;
        int bitsBehind = Byte.SIZE - 1 - lastBit % Byte.SIZE;
        long rest = value << bitsBehind;
        int own = (LOW_BYTE << bitsBehind) & LOW_BYTE;
        for (int i = lastBit / Byte.SIZE; i >= first; i--) {
            if (i == first) {
                own &= LOW_BYTE >>> firstBit % Byte.SIZE;
            }
            bytes[i] = (byte) ((bytes[i] & ~own) | ((int) rest & own));
            rest >>>= Byte.SIZE;
            own = LOW_BYTE;
        }
    }

    void put(byte[] bytes, boolean value) {
        put(bytes, value ? 1 : 0);
    }

    /** Refuses a number that is wider than the field. Any int fits a field of 32 bits, and any long one of 64. */
    void check(int value) {
        if (bits < Integer.SIZE && value >>> bits != 0) {
            throw new IllegalArgumentException(name + "=" + Integer.toUnsignedString(value) + " is not in 0.."
                    + ((1L << bits) - 1) + "; the field holds no more");
        }
    }
}
