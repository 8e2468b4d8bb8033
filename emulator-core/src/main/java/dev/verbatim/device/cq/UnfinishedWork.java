// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Standstill;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair has not done, for a wait that ended without a completion.
 *
 * @param kind what waits; null if nothing does
 * @param requestId of the oldest request that is not done; 0 if there is none
 * @param text the queue pair, what is posted, and its retries
 * @param reason why it does not get on, or why its peer does not answer, or it is in ERR; null if that is not known
 */
public record UnfinishedWork(
        Standstill.@Nullable Kind kind,
        long requestId,
        String text,
        @Nullable Refusal reason) {

    /** Whether nothing is posted that could complete. */
    public boolean isNone() {
        return kind != Standstill.Kind.REQUEST && kind != Standstill.Kind.RECEIVE;
    }
}
