// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** The 32 waiting times that a receiver-not-ready NAK can ask for (rule RT-04). Code 0 is the longest of them. */
public final class RnrTimer {
    private static final long NANOS_PER_HUNDREDTH_OF_MILLISECOND = 10_000;

    /** By code, in hundredths of a millisecond, the unit in which every one of them is whole. */
    private static final int[] HUNDREDTHS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private RnrTimer() {}

    /**
     * Returns the least time that a requester waits before it sends again.
     *
     * @param code 0 to 31
     * @throws IllegalArgumentException if the code is out of that range
     */
    public static long nanos(int code) {
        return HUNDREDTHS[checked(code)] * NANOS_PER_HUNDREDTH_OF_MILLISECOND;
    }

    static int checked(int code) {
        if (code < 0 || code >= HUNDREDTHS.length) {
            throw new IllegalArgumentException(
                    "timerCode=" + code + " is not in 0.." + (HUNDREDTHS.length - 1) + "; it is a five-bit code");
        }
        return code;
    }
}
