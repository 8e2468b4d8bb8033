// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.time.Instant;

/** The machine's own clock: the only place that reads it. */
public enum SystemClock implements Clock {
    INSTANCE;

    private static final long NANOS_OF_SECOND = 1_000_000_000;

    /** Nanoseconds since 1970-01-01T00:00Z. */
    public static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_OF_SECOND + now.getNano();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
