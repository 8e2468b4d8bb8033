// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.plan;

import java.util.Locale;

/** What is measured. */
public enum BenchCase {
    WRITE_BW("RDMA WRITE bandwidth, deep queue", Measure.BANDWIDTH),
    READ_BW("RDMA READ bandwidth, 240 outstanding", Measure.BANDWIDTH),
    READ_LAT("RDMA READ of 8 B, post to polled completion", Measure.LATENCY),
    WRITE_LAT("RDMA WRITE of 8 B, post to polled completion", Measure.LATENCY),
    ATOMIC_LAT("fetch-and-add, post to polled completion", Measure.LATENCY),
    MSG_RATE("RDMA WRITE of 8 B, deep queue", Measure.RATE),
    CHAIN_RATE("RDMA WRITE of 8 B, deep queue, posted in chains of 64", Measure.RATE),
    READ_RATE("RDMA READ of 8 B, 240 outstanding", Measure.RATE),
    READ_CHAIN_RATE("RDMA READ of 8 B, 240 outstanding, posted in chains of 64", Measure.RATE),
    SEND_RATE("SEND to RECV of 8 B, deep queue", Measure.RATE),
    ATOMIC_RATE("fetch-and-add, 240 outstanding", Measure.RATE);

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

    /** Whether its requests are posted many at a time. */
    public boolean isChained() {
        return this == CHAIN_RATE || this == READ_CHAIN_RATE;
    }

    /** Whether it can be measured there: a side that receives has to poll, which it does not where it blocks. */
    public boolean isPossible(Setting setting) {
        return this != SEND_RATE || !setting.isRemote() || setting.isSpinning();
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
