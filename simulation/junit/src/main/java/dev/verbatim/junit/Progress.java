// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.sim.Explored;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Says on standard error what a long exploration has done: after five seconds, and then when twice the time is over. */
final class Progress {

    private static final long FIRST_NANOS = 5_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private long nextNanos = FIRST_NANOS;

    Progress(String name, LongSupplier nanoTime) {
        this.name = name;
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
    }

    boolean isDue() {
        return nanoTime.getAsLong() - startNanos >= nextNanos;
    }

    void tell(Explored soFar) {
        System.err.println(line(soFar));
    }

    /** Such as {@code putThenGet: 12,345 runs in 5 s, and none failed}. */
    String line(Explored soFar) {
        long nanos = nanoTime.getAsLong() - startNanos;
        nextNanos = 2 * Math.max(nextNanos, nanos);
        return String.format(
                Locale.ROOT,
                "%s: %,d runs in %.0f s, and none failed",
                name,
                soFar.executions() + soFar.abandoned() + soFar.samples(),
                nanos / NANOS_PER_SECOND);
    }

    @Override
    public String toString() {
        return "progress of " + name;
    }
}
