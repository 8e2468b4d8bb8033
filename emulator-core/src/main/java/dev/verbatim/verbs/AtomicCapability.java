// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Against what the atomics of a device are atomic ({@code enum ibv_atomic_cap}, WR-37). */
public enum AtomicCapability {
    /** There are none. */
    NONE(0),
    /** Atomics through the same device. */
    HCA(1),
    /** These, and those of the processor and of other devices. */
    GLOB(2);

    private final int number;

    AtomicCapability(int number) {
        this.number = number;
    }

    /** The value in the C binary interface. */
    public int number() {
        return number;
    }
}
