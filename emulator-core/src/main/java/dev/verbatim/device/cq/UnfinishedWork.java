// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.verbs.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair has not done, for a wait that ended without a completion.
 *
 * @param isNone whether nothing is posted that could complete
 * @param text the queue pair, what is posted, and its retries
 * @param reason why its peer does not answer, or why it is in ERR; null if that is not known
 */
public record UnfinishedWork(
        boolean isNone, String text, @Nullable Refusal reason) {}
