// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * How {@link QueuePair#bindWindow} binds a window of type 1 ({@code struct ibv_mw_bind}).
 *
 * @param id the caller's number, echoed in the completion
 * @param flags {@link SendFlags}; FENCE and SIGNALED count (MW-22)
 * @param info what it is bound to
 */
public record WindowBind(long id, int flags, BindInfo info) {

    /** A signaled bind. */
    public static WindowBind signaled(long id, BindInfo info) {
        return new WindowBind(id, SendFlags.SIGNALED, info);
    }
}
