// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * The placement type and range of a FLUSH ({@code ibv_wr_flush}).
 *
 * @param type a set of {@link #GLOBAL} and {@link #PERSISTENT}
 * @param level {@link #RANGE} or {@link #REGION}
 * @param lengthBytes length of the range, unsigned; without meaning for a whole region
 */
public record FlushTarget(int type, int level, int lengthBytes) {

    /** Placement type: written data is globally visible ({@code IBV_FLUSH_GLOBAL}). */
    public static final int GLOBAL = 1;

    /** Placement type: written data survives a power loss ({@code IBV_FLUSH_PERSISTENT}). */
    public static final int PERSISTENT = 1 << 1;

    /** Level: the range that address and length name ({@code IBV_FLUSH_RANGE}). */
    public static final int RANGE = 0;

    /** Level: the whole region that the key names ({@code IBV_FLUSH_MR}). */
    public static final int REGION = 1;
}
