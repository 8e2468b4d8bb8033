// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for completions of a queue; a wait that is too long, and a completion with an error, end the program.
 *
 * @param cq the queue
 * @param patience longest wait
 */
record CompletionWait(CompletionQueue cq, Duration patience) {

    /**
     * Waits for one.
     *
     * @throws InteropException if there is none in time, or it has an error
     */
    WorkCompletion next(String what) {
        WorkCompletion completion = any(what);
        if (!completion.isSuccess()) {
            throw failed(completion, what);
        }
        return completion;
    }

    /** Waits for one; empty if it was flushed because the connection ended. */
    Optional<WorkCompletion> nextUnlessOver(String what) {
        WorkCompletion completion = any(what);
        if (completion.status() == WcStatus.WR_FLUSH_ERR) {
            return Optional.empty();
        }
        if (!completion.isSuccess()) {
            throw failed(completion, what);
        }
        return Optional.of(completion);
    }

    private WorkCompletion any(String what) {
        try {
            return cq.awaitCompletion(patience);
        } catch (VerbsException e) {
            if (e.errno() != Errno.ETIMEDOUT) {
                throw e;
            }
            throw new InteropException(what + " did not complete within " + patience.toSeconds() + " s");
        }
    }

    private static InteropException failed(WorkCompletion completion, String what) {
        return new InteropException(what + " failed: " + completion + ": " + completion.explanation());
    }
}
