// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Arguments of {@link QueuePair#bindWindow} for a window of type 1 ({@code struct ibv_mw_bind}).
 *
 * @param id wr_id of the caller, returned in the completion
 * @param flags {@link SendFlags}; only FENCE and SIGNALED are used (MW-22)
 * @param info range and rights
 */
public record WindowBind(long id, int flags, BindInfo info) {

    /** A signaled bind. */
    public static WindowBind signaled(long id, BindInfo info) {
        return new WindowBind(id, SendFlags.SIGNALED, info);
    }
}
