// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** The scope of atomicity of a device's atomics ({@code enum ibv_atomic_cap}, WR-37). */
public enum AtomicCapability {
    /** Atomics are not supported. */
    NONE(0),
    /** Atomic with respect to atomics through the same device. */
    HCA(1),
    /** Also atomic with respect to the processor and other devices. */
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
