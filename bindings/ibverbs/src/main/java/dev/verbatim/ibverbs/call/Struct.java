// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.abi.Native;

/** An object of the device with the struct by which the program knows it, which is freed with it. */
public abstract class Struct {

    private final long address;
    private long context;

    /** With a struct of that size, zeroed. */
    protected Struct(int sizeBytes) {
        this.address = Native.allocate(sizeBytes);
    }

    /** Where the struct is that the program has. */
    public final long address() {
        return address;
    }

    /** The context that the struct was made with; 0 before it was added to a table, and in tables that look at none. */
    final long context() {
        return context;
    }

    final void context(long made) {
        context = made;
    }
}
