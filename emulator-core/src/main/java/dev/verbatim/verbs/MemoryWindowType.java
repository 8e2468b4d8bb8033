// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Type of a memory window ({@code enum ibv_mw_type}). The device determines whether type 2 is 2A or 2B (MW-02). */
public enum MemoryWindowType {
    /** Bound by {@link QueuePair#bindWindow}, usable through any queue pair of its protection domain. */
    TYPE_1(1),
    /** Bound by a BIND_MW work request, usable through the queue pair that bound it. */
    TYPE_2(2);

    private final int number;

    MemoryWindowType(int number) {
        this.number = number;
    }

    /** The value in the C binary interface. */
    public int number() {
        return number;
    }
}
