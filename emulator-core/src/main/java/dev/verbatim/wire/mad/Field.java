// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

/**
 * Where a field of a datagram lies: a run of bits in big-endian order, of which bit 0 is the most significant one of the first
 * byte.
 *
 * @param name as it is called in messages
 * @param firstBit counted from where the offsets of its table are counted from
 * @param bits 1 to 64
 */
record Field(String name, int firstBit, int bits) {

    /** So many bits from the beginning of the byte on. */
    static Field at(int offset, int bits, String name) {
        return new Field(name, offset * Byte.SIZE, bits);
    }

    /** The bits {@code high} down to {@code low} of one byte; bit 7 is the most significant. */
    static Field within(int offset, int high, int low, String name) {
        return new Field(name, offset * Byte.SIZE + Byte.SIZE - 1 - high, high - low + 1);
    }

    long get(byte[] bytes) {
        long value = 0;
        for (int bit = firstBit; bit < firstBit + bits; bit++) {
            value = (value << 1) | ((bytes[bit / Byte.SIZE] >> shift(bit)) & 1);
        }
        return value;
    }

    int getInt(byte[] bytes) {
        return (int) get(bytes);
    }

    boolean isSet(byte[] bytes) {
        return get(bytes) != 0;
    }

    void put(byte[] bytes, long value) {
        for (int i = 0; i < bits; i++) {
            int bit = firstBit + i;
            int mask = 1 << shift(bit);
            boolean one = ((value >>> (bits - 1 - i)) & 1) != 0;
            bytes[bit / Byte.SIZE] = (byte) (one ? bytes[bit / Byte.SIZE] | mask : bytes[bit / Byte.SIZE] & ~mask);
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

    private static int shift(int bit) {
        return Byte.SIZE - 1 - bit % Byte.SIZE;
    }
}
