// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.post;

import dev.verbatim.conformance.scenario.operand.SrqRef;
import dev.verbatim.verbs.FlushTarget;
import org.jspecify.annotations.Nullable;

/**
 * What a request has besides, for some transports and opcodes only.
 *
 * @param destination whom a datagram is for (UD); null for the peer
 * @param srq the shared receive queue that it is for (XRC); null for none
 * @param flush what a FLUSH is to reach, its length aside, which is that of the remote place; null for other opcodes
 */
public record PostExtra(
        @Nullable Destination destination,
        @Nullable SrqRef srq,
        @Nullable FlushTarget flush) {

    /** Nothing. */
    public static final PostExtra NONE = new PostExtra(null, null, null);

    /** The same with that to flush. */
    PostExtra with(@Nullable FlushTarget target) {
        return new PostExtra(destination, srq, target);
    }
}
