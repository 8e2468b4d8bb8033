// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.MemoryWindowType;
import org.jspecify.annotations.Nullable;

/** One memory window as the trace has it. */
final class WindowModel {

    final int handle;
    final MemoryWindowType type;
    /** The key that the bind has which was posted last (type 1). */
    int postedKey;
    /** The key of the last bind that took effect (type 1). */
    int goodKey;
    /** Whether a bind failed since then (type 1). */
    boolean failed;
    /** Whether it is bound to something. */
    boolean bound;
    /** Whether it was deallocated. */
    boolean gone;
    /** The life of the key that it has, or had last; null before the first bind. */
    @Nullable
    KeyLife life;

    WindowModel(int handle, MemoryWindowType type, int key) {
        this.handle = handle;
        this.type = type;
        this.postedKey = key;
        this.goodKey = key;
    }

    @Override
    public String toString() {
        return "window " + handle;
    }
}
