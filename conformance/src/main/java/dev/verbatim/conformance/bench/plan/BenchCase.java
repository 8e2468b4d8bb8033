// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.plan;

import java.util.Locale;

/** What is measured. */
public enum BenchCase {
    WRITE_BW("RDMA WRITE bandwidth, deep queue", Measure.BANDWIDTH),
    READ_BW("RDMA READ bandwidth, 16 outstanding", Measure.BANDWIDTH),
    READ_LAT("RDMA READ of 8 B, post to polled completion", Measure.LATENCY),
    WRITE_LAT("RDMA WRITE of 8 B, post to polled completion", Measure.LATENCY),
    ATOMIC_LAT("fetch-and-add, post to polled completion", Measure.LATENCY),
    MSG_RATE("RDMA WRITE of 8 B, deep queue", Measure.RATE);

    private final String title;
    private final Measure measure;

    BenchCase(String title, Measure measure) {
        this.title = title;
        this.measure = measure;
    }

    public String title() {
        return title;
    }

    public Measure measure() {
        return measure;
    }

    /** Whether it is measured for messages of several sizes; the others have 8 bytes. */
    public boolean hasSizes() {
        return measure == Measure.BANDWIDTH;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
