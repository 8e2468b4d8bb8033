// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.plan;

import java.time.Duration;

/**
 * How to soak.
 *
 * @param duration how long verbs are called; settling and taking apart comes on top
 * @param seed what each thread's choices are drawn from
 * @param threads how many, up to {@link #MOST_THREADS}
 * @param fabric what carries the packets
 */
public record SoakPlan(Duration duration, long seed, int threads, DevicePair.Kind fabric) {

    /** A request's number has this much room for its thread. */
    public static final int MOST_THREADS = 64;
}
