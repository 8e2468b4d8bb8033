// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The send requests of a node whose completions have not been taken yet. */
public final class PendingSends {

    private record Posted(long id, boolean signaled) {}

    private final Map<String, Deque<Posted>> byQp = new LinkedHashMap<>();

    /** Found when something changes here, since it is asked for after each event. */
    private @Nullable String qpThatOwes;

    PendingSends() {}

    void posted(String qp, long id, boolean signaled) {
        byQp.computeIfAbsent(qp, name -> new ArrayDeque<>()).addLast(new Posted(id, signaled));
        qpThatOwes = firstThatOwes();
    }

    /** Whatever is under way there vanishes without completions. */
    public void forget(String qp) {
        byQp.remove(qp);
        qpThatOwes = firstThatOwes();
    }

    /** The same of all queue pairs. */
    public void forgetAll() {
        byQp.clear();
        qpThatOwes = null;
    }

    /** A completion tells of all requests before it too. */
    void completed(String qp, WorkCompletion completion) {
        Deque<Posted> queue = byQp.get(qp);
        if (queue == null || completion.opcode().isReceive()) {
            return;
        }
        if (queue.stream().anyMatch(posted -> posted.id() == completion.id())) {
            while (queue.removeFirst().id() != completion.id()) {
                // It was unsignaled.
            }
            qpThatOwes = firstThatOwes();
        }
    }

    /** A queue pair that still owes a completion; null if none does. */
    public @Nullable String qpThatOwes() {
        return qpThatOwes;
    }

    private @Nullable String firstThatOwes() {
        for (Map.Entry<String, Deque<Posted>> qp : byQp.entrySet()) {
            for (Posted posted : qp.getValue()) {
                if (posted.signaled()) {
                    return qp.getKey();
                }
            }
        }
        return null;
    }
}
