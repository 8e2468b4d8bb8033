// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.sim.Explored;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says on standard error what a long exploration has done: after five seconds, then when twice the time is over, and at the end of a process
 * that ends meanwhile, by Ctrl-C for example.
 */
final class Progress implements AutoCloseable {

    /** So long the end of the process waits for the run that is being made. */
    private static final long PATIENCE_SECONDS = 2;

    private static final long FIRST_NANOS = 5_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private final CountDownLatch isTold = new CountDownLatch(1);
    private final Thread hook = new Thread(this::processEnds, "verbatim-progress");
    private volatile boolean ends;
    private long nextNanos = FIRST_NANOS;

    Progress(String name, LongSupplier nanoTime) {
        this.name = name;
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
    }

    /** Begins to wait for the end of the process. */
    Progress watch() {
        Runtime.getRuntime().addShutdownHook(hook);
        return this;
    }

    /** The process ends: waits until it was told what there was so far. */
    void processEnds() {
        ends = true;
        try {
            boolean unused = isTold.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The exploration is over. */
    @Override
    public void close() {
        isTold.countDown();
        if (!ends) {
            try {
                boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending.
            }
        }
    }

    boolean isDue() {
        return (ends && isTold.getCount() > 0) || nanoTime.getAsLong() - startNanos >= nextNanos;
    }

    void tell(Explored soFar) {
        boolean isLast = ends;
        System.err.println(line(soFar) + (isLast ? "; the process was ended before all runs were made" : ""));
        if (isLast) {
            isTold.countDown();
        }
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
