// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Where time comes from: nanoseconds from an arbitrary start, never backwards. */
@FunctionalInterface
public interface Clock {

    /** The time now. */
    long nanoTime();
}
