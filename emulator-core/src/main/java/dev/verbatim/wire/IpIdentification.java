// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * Recovers the identification field of an IPv4 header from the ICRC, for receivers whose sockets do not show it (IC-01).
 *
 * <p>A CRC is linear: the difference between the ICRC that a datagram carries and the one computed with identification 0 and DF set
 * depends only on those two fields and on the number of bytes behind them. Reading the difference backwards over these bytes gives
 * the 32-bit word of the header in which the fields lie. If anything but the identification and DF differs there, the datagram was
 * damaged. So 15 bits of the 32 still check.
 */
public final class IpIdentification {

    /** No identification explains the difference: the datagram was damaged. */
    public static final int NONE = -1;

    private static final int POLYNOMIAL = 0xedb8_8320;

    /** x^-1 modulo the polynomial, in the reflected form of CRC-32 in which x^0 is the top bit. */
    private static final int INVERSE_OF_X = 0xdb71_0641;

    private static final int ONE = 0x8000_0000;
    private static final int WORD_OFFSET = 4;
    private static final int FLAGS_SHIFT = 16;
    private static final int DONT_FRAGMENT = 0x40;
    private static final int BYTE_MASK = 0xff;

    /** By number of bytes: what reads a difference backwards over so many. */
    private final int[] backwards;

    /**
     * For datagrams up to a length.
     *
     * @param mostBytes from the IP header to the last byte before the ICRC
     */
    public IpIdentification(int mostBytes) {
        int inverseOfByte = ONE;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            inverseOfByte = product(INVERSE_OF_X, inverseOfByte);
        }
        backwards = new int[mostBytes - WORD_OFFSET + 1];
        backwards[0] = ONE;
        for (int bytes = 1; bytes < backwards.length; bytes++) {
            backwards[bytes] = product(backwards[bytes - 1], inverseOfByte);
        }
    }

    /**
     * Returns the identification, 0 to 65535; {@link #NONE} if none explains the ICRC.
     *
     * @param carried the ICRC of the datagram, its bytes read as a big-endian int
     * @param computed the ICRC with identification 0 and DF set
     * @param coveredBytes from the IP header to the last byte before the ICRC
     */
    public int of(int carried, int computed, int coveredBytes) {
        int difference = Integer.reverseBytes(carried ^ computed);
        int word = product(backwards[coveredBytes - WORD_OFFSET], difference);
        int flags = word >>> FLAGS_SHIFT;
        if (flags != 0 && flags != DONT_FRAGMENT) {
            return NONE;
        }
        return ((word & BYTE_MASK) << Byte.SIZE) | ((word >> Byte.SIZE) & BYTE_MASK);
    }

    /** The product of two polynomials modulo that of CRC-32. */
    private static int product(int left, int right) {
        int sum = 0;
        int multiple = right;
        for (int rest = left; rest != 0; rest <<= 1) {
            if (rest < 0) {
                sum ^= multiple;
            }
            multiple = (multiple & 1) == 0 ? multiple >>> 1 : multiple >>> 1 ^ POLYNOMIAL;
        }
        return sum;
    }
}
