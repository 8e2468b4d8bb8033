// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.function.BooleanSupplier;

/** Waits of races that threads are to run neck and neck: a parked thread would come too late. */
public final class Spin {
    private static final int SPINS_BEFORE_YIELDING = 1_000;

    private Spin() {}

    public static void until(BooleanSupplier condition) {
        for (int spins = 0; !condition.getAsBoolean(); spins++) {
            if (spins < SPINS_BEFORE_YIELDING) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }
}
