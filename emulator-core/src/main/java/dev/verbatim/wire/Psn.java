// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * Arithmetic of packet sequence numbers, which are 24 bits wide and wrap; message sequence numbers count in the same way.
 *
 * <p>Every argument called a PSN is expected in 0 to {@link #MASK}, and every PSN returned is. No caller masks bits itself.
 */
public final class Psn {
    /** The largest PSN. */
    public static final int MASK = 0xff_ffff;

    private static final int HALF = 0x80_0000;
    private static final int UNUSED_HIGH_BITS = Integer.SIZE - 24;

    private Psn() {}

    /** Returns the PSN {@code n} packets after {@code psn}, or before it where {@code n} is negative. */
    public static int add(int psn, int n) {
        return (psn + n) & MASK;
    }

    /** Returns the PSN that follows {@code psn}. */
    public static int next(int psn) {
        return (psn + 1) & MASK;
    }

    /** Returns how many steps forward lead from {@code from} to {@code to}: 0 to 2^24-1. */
    public static int distance(int from, int to) {
        return (to - from) & MASK;
    }

    /**
     * Returns the signed distance from {@code b} to {@code a}: negative if {@code a} is before {@code b}, 0 if they are
     * equal, positive if {@code a} is after {@code b}.
     *
     * <p>Range -2^23 to 2^23-1. Two PSNs exactly 2^23 apart are each before the other, as rule PSN-01 has it; a window of
     * less than 2^23 outstanding packets (rule PSN-04) never sees that. It orders a window, not all PSNs: it is not transitive.
     */
    public static int compare(int a, int b) {
        return (a - b) << UNUSED_HIGH_BITS >> UNUSED_HIGH_BITS;
    }

    /** Returns true if going forward from {@code first} meets {@code psn} no later than {@code last}; both ends count. */
    public static boolean inRange(int psn, int first, int last) {
        return distance(first, psn) <= distance(first, last);
    }

    /** Returns what a responder that waits for {@code expected} makes of {@code psn} (rule PSN-01). */
    public static PsnClass classify(int psn, int expected) {
        int ahead = distance(expected, psn);
        if (ahead == 0) {
            return PsnClass.EXPECTED;
        }
        return ahead < HALF ? PsnClass.FUTURE : PsnClass.DUPLICATE;
    }

    /**
     * Returns how many packets, and so how many PSNs, carry a message of {@code lengthBytes}: at least one (rule PSN-03).
     *
     * @throws IllegalArgumentException if the length is negative, the path MTU not positive, or the count exceeds an int
     */
    public static int packets(long lengthBytes, int pathMtuBytes) {
        if (lengthBytes < 0 || pathMtuBytes <= 0) {
            throw new IllegalArgumentException("lengthBytes=" + lengthBytes + " pathMtuBytes=" + pathMtuBytes
                    + ": the length must be at least 0 and the path MTU at least 1");
        }
        if (lengthBytes <= pathMtuBytes) {
            return 1;
        }
        long packets = (lengthBytes - 1) / pathMtuBytes + 1;
        if (packets > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("lengthBytes=" + lengthBytes + " needs " + packets
                    + " packets of pathMtuBytes=" + pathMtuBytes + " > " + Integer.MAX_VALUE
                    + "; a message is at most 2^31 bytes");
        }
        return (int) packets;
    }
}
