// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What completes in one completion queue: queue pairs, and shared receive queues of type XRC. On the lane. */
final class CqUsers {

    private final Set<CqUser> queuePairs = new LinkedHashSet<>();

    /** What the shared receive queues do when the completion queue breaks. */
    private final Set<Consumer<Refusal>> sharedQueues = new LinkedHashSet<>();

    Set<CqUser> queuePairs() {
        return queuePairs;
    }

    Set<Consumer<Refusal>> sharedQueues() {
        return sharedQueues;
    }

    /** Refuses to destroy a queue that is used (PD-04). */
    void requireNone(EmulatedCompletionQueue cq) {
        if (!queuePairs.isEmpty() || !sharedQueues.isEmpty()) {
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.PD_04,
                    "%s is used by %d queue pairs and %d shared receive queues; destroy them first",
                    cq,
                    queuePairs.size(),
                    sharedQueues.size());
        }
    }

    /** The queue takes no more completions: of these, and of the one that it broke for. */
    void cqBroken(CqUser user, Refusal reason) {
        for (CqUser each : List.copyOf(queuePairs)) {
            each.cqBroken(reason);
        }
        if (!queuePairs.contains(user)) {
            user.cqBroken(reason);
        }
        sharedQueues.forEach(srq -> srq.accept(reason));
    }
}
