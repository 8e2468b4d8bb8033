// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Flags of a work completion ({@code enum ibv_wc_flags}). */
public final class WcFlags {

    /** A GRH is present (UD). */
    public static final int GRH = 1;

    /** Immediate data is present. */
    public static final int WITH_IMM = 1 << 1;

    /** Checksum offload; never set. */
    public static final int IP_CSUM_OK = 1 << 2;

    /** The message invalidated a key. */
    public static final int WITH_INV = 1 << 3;

    private WcFlags() {}

    /** The names of the set bits joined by {@code |}, {@code 0} for none. */
    public static String describe(int flags) {
        return FlagNames.describe(flags, "GRH", "WITH_IMM", "IP_CSUM_OK", "WITH_INV");
    }
}
