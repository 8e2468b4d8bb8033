// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The completions of a node: those that were polled and not taken, and those that were taken. */
public final class NodeCompletions {

    private final NamedObjects<CompletionQueue> cqs;
    private final PendingSends pendingSends;
    private final IntFunction<String> qpNames;
    private final Map<String, Deque<WorkCompletion>> polled = new LinkedHashMap<>();
    private final Map<String, String> errors = new LinkedHashMap<>();
    private final List<WorkCompletion> taken = new ArrayList<>();

    NodeCompletions(NamedObjects<CompletionQueue> cqs, PendingSends pendingSends, IntFunction<String> qpNames) {
        this.cqs = cqs;
        this.pendingSends = pendingSends;
        this.qpNames = qpNames;
    }

    /** The next completion of a queue; null if there is none yet. It stays the next. */
    public @Nullable WorkCompletion peek(String cq) {
        Deque<WorkCompletion> seen = polled.computeIfAbsent(cq, name -> new ArrayDeque<>());
        if (seen.isEmpty()) {
            try {
                seen.addAll(cqs.get(cq).poll(1));
            } catch (VerbsException e) {
                errors.put(cq, String.valueOf(e.getMessage()));
            }
        }
        return seen.peekFirst();
    }

    /** Takes the completion that {@link #peek} shows. */
    public WorkCompletion take(String cq) {
        Deque<WorkCompletion> seen = polled.get(cq);
        WorkCompletion completion = seen == null ? null : seen.pollFirst();
        if (completion == null) {
            throw new IllegalStateException("no completion of " + cq + " is there; peek first");
        }
        pendingSends.completed(qpNames.apply(completion.qpNumber()), completion);
        taken.add(completion);
        return completion;
    }

    /** Takes all completions that are there, and returns every one that was taken since the beginning, in that order. */
    public List<WorkCompletion> takeAll() {
        for (String cq : cqs.all().keySet()) {
            while (!cqs.isClosed(cq) && peek(cq) != null) {
                take(cq);
            }
        }
        return List.copyOf(taken);
    }

    /** The messages of completion queues that could not be polled, by name. */
    Map<String, String> errors() {
        return errors;
    }
}
