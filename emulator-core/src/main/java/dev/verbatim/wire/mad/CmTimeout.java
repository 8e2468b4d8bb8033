// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import java.util.concurrent.TimeUnit;

/** The five-bit codes of times in messages of communication management: nominally 4.096 us doubled so many times. */
public final class CmTimeout {

    /** The largest code. */
    public static final int MAX_CODE = 31;

    private static final int MILLISECOND_CODE = 8;

    private CmTimeout() {}

    /**
     * Returns the time as Linux understands the code: 2^(code-8) ms, and 1 ms for codes below 8.
     *
     * @param code 0 to 31
     * @throws IllegalArgumentException if it is out of that range
     */
    public static long nanos(int code) {
        if (code < 0 || code > MAX_CODE) {
            throw new IllegalArgumentException("code=" + code + " is not in 0.." + MAX_CODE + "; it has five bits");
        }
        return TimeUnit.MILLISECONDS.toNanos(1L << Math.max(0, code - MILLISECOND_CODE));
    }
}
