// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import dev.verbatim.profile.DeviceLimits;
import java.util.Locale;

/** What is measured. */
public enum BenchCase {
    WRITE_BW("RDMA WRITE bandwidth, deep queue", Measure.BANDWIDTH),
    READ_BW(deep("RDMA READ bandwidth"), Measure.BANDWIDTH),
    READ_LAT("RDMA READ of 8 B, post to polled completion", Measure.LATENCY),
    WRITE_LAT("RDMA WRITE of 8 B, post to polled completion", Measure.LATENCY),
    ATOMIC_LAT("fetch-and-add, post to polled completion", Measure.LATENCY),
    MSG_RATE("RDMA WRITE of 8 B, deep queue", Measure.RATE),
    CHAIN_RATE("RDMA WRITE of 8 B, deep queue, posted in chains of 64", Measure.RATE),
    READ_RATE(deep("RDMA READ of 8 B"), Measure.RATE),
    READ_CHAIN_RATE(deep("RDMA READ of 8 B") + ", posted in chains of 64", Measure.RATE),
    SEND_RATE("SEND to RECV of 8 B, deep queue", Measure.RATE),
    ATOMIC_RATE(deep("fetch-and-add"), Measure.RATE);

    private final String title;
    private final Measure measure;

    BenchCase(String title, Measure measure) {
        this.title = title;
        this.measure = measure;
    }

    /** With as many outstanding READs or atomics as the default profile permits. */
    private static String deep(String what) {
        return what + ", " + DeviceLimits.DEFAULT.maxQpInitRdAtom() + " outstanding";
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
