// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.EventRaised;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.QueuePair;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Holds the asynchronous events that programs read against those that devices raised: the same ones, in that order (AE-20). */
final class EventLedger implements Tap {

    private final Map<String, List<String>> raised = new HashMap<>();

    @Override
    public void on(TraceEvent event) {
        if (event instanceof EventRaised each) {
            raised.computeIfAbsent(each.device(), name -> new ArrayList<>())
                    .add(entry(each.type().name(), each.qp(), each.srq() != 0));
        }
    }

    private static String entry(String type, int queuePair, boolean isOfShared) {
        return type + (isOfShared ? " of a shared queue" : String.format(Locale.ROOT, " qp=0x%x", queuePair));
    }

    private static String entry(AsyncEvent event) {
        QueuePair queuePair = event.queuePair();
        return entry(
                event.type().name(), queuePair == null ? 0 : queuePair.number(), event.sharedReceiveQueue() != null);
    }

    /** What differs at these nodes when nothing is left to happen; it reads what was not read yet. */
    List<RunFailure> compare(List<NodeState> nodes) {
        List<RunFailure> failures = new ArrayList<>();
        for (NodeState node : nodes) {
            List<String> read = node.events().takeAllEvents().stream()
                    .map(EventLedger::entry)
                    .toList();
            List<String> expected = raised.getOrDefault(node.name(), List.of());
            if (!read.equals(expected)) {
                failures.add(new RunFailure(
                        RunFailure.EVENTS,
                        "node " + node.name() + " read " + read + " where " + expected + " were raised"));
            }
        }
        return failures;
    }
}
