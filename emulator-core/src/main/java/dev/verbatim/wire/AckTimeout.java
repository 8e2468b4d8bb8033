// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** The nominal times that a requester waits for an acknowledgement, by their five-bit code (rule RT-01). */
public final class AckTimeout {
    /** Returned by {@link #nanos} for code 0: the timer never expires. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int MAX_CODE = 31;
    private static final long UNIT_NANOS = 4096;

    private AckTimeout() {}

    /**
     * Returns 4.096 us doubled {@code n} times, or {@link #NEVER} for 0.
     *
     * @param n 0 to 31
     * @throws IllegalArgumentException if {@code n} is out of that range
     */
    public static long nanos(int n) {
        if (n < 0 || n > MAX_CODE) {
            throw new IllegalArgumentException(
                    "timeout=" + n + " is not in 0.." + MAX_CODE + "; it is a five-bit code");
        }
        return n == 0 ? NEVER : UNIT_NANOS << n;
    }
}
