// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

/** Which figure is asked for, and its unit. */
public enum Measure {
    BANDWIDTH("GiB/s") {
        @Override
        public double of(double nanos, int sizeBytes) {
            return sizeBytes / nanos * NANOS_PER_SECOND / BYTES_PER_GIB;
        }
    },
    RATE("M/s") {
        @Override
        public double of(double nanos, int sizeBytes) {
            return NANOS_PER_MICRO / nanos;
        }
    },
    LATENCY("us") {
        @Override
        public double of(double nanos, int sizeBytes) {
            return nanos / NANOS_PER_MICRO;
        }
    };

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_GIB = 1L << 30;

    private final String unit;

    Measure(String unit) {
        this.unit = unit;
    }

    public String unit() {
        return unit;
    }

    /** The figure, if one operation of that size takes so long. */
    public abstract double of(double nanos, int sizeBytes);

    /** How many times the yardstick's figure this is; more is better, except for latencies. */
    double ratio(double nanos, double yardstickNanos) {
        return this == LATENCY ? nanos / yardstickNanos : yardstickNanos / nanos;
    }
}
