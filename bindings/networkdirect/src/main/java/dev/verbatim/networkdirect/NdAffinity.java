// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** A processor mask that a method returns in a parameter ({@code KAFFINITY*}). */
public final class NdAffinity {

    private long mask;

    /** The mask. */
    public long mask() {
        return mask;
    }

    void mask(long value) {
        mask = value;
    }
}
