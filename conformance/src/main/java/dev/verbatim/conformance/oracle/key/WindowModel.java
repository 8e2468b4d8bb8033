// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.key;

import dev.verbatim.verbs.MemoryWindowType;
import org.jspecify.annotations.Nullable;

/** One memory window as the trace has it. */
public final class WindowModel {

    final int handle;
    public final MemoryWindowType type;
    /** The key that the bind has which was posted last (type 1). */
    public int postedKey;
    /** The key of the last bind that took effect (type 1). */
    public int goodKey;
    /** Whether a bind failed since then (type 1). */
    public boolean failed;
    /** Whether it is bound to something. */
    public boolean bound;
    /** Whether it was deallocated. */
    public boolean gone;
    /** The life of the key that it has, or had last; null before the first bind. */
    @Nullable
    public KeyLife life;

    public WindowModel(int handle, MemoryWindowType type, int key) {
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
