// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** The attributes that a re-registration changes ({@code enum ibv_rereg_mr_flags}). */
public final class ReregistrationFlags {

    /** The memory ({@code IBV_REREG_MR_CHANGE_TRANSLATION}). */
    public static final int CHANGE_TRANSLATION = 1;

    /** The protection domain ({@code IBV_REREG_MR_CHANGE_PD}). */
    public static final int CHANGE_PD = 1 << 1;

    /** The access rights ({@code IBV_REREG_MR_CHANGE_ACCESS}). */
    public static final int CHANGE_ACCESS = 1 << 2;

    /** All of them ({@code IBV_REREG_MR_FLAGS_SUPPORTED}). */
    public static final int ALL = CHANGE_TRANSLATION | CHANGE_PD | CHANGE_ACCESS;

    private ReregistrationFlags() {}

    /** The names of the set bits joined by {@code |}, {@code 0} for none. */
    public static String describe(int flags) {
        return FlagNames.describe(flags, "CHANGE_TRANSLATION", "CHANGE_PD", "CHANGE_ACCESS");
    }
}
