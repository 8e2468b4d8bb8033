// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Holds the completions that programs polled against those that devices made: none is lost, none comes twice. */
final class CompletionLedger implements Tap {

    private final Map<String, Map<String, Integer>> made = new TreeMap<>();
    private final Map<String, Long> statuses = new TreeMap<>();
    private long packets;

    @Override
    public void on(TraceEvent event) {
        if (event instanceof Completed completed) {
            made.computeIfAbsent(completed.device(), name -> new TreeMap<>())
                    .merge(
                            entry(
                                    completed.device(),
                                    completed.qp(),
                                    completed.workRequestId(),
                                    completed.status().name(),
                                    completed.opcode().isReceive()),
                            1,
                            Integer::sum);
            statuses.merge(completed.status().name(), 1L, Long::sum);
        } else if (event instanceof PacketSent) {
            packets++;
        }
    }

    private static String entry(String node, int queuePair, long id, String status, boolean receive) {
        return "node " + node + " qp=0x" + Integer.toHexString(queuePair) + (receive ? " recv" : " send") + " wr_id="
                + id + ' ' + status;
    }

    /** What differs at these nodes when nothing is left to happen; it polls what was not polled yet. */
    List<RunFailure> compare(List<NodeState> nodes) {
        Map<String, Integer> missing = new TreeMap<>();
        for (NodeState node : nodes) {
            missing.putAll(made.getOrDefault(node.name(), Map.of()));
            for (WorkCompletion polled : node.completions().takeAll()) {
                missing.merge(
                        entry(
                                node.name(),
                                polled.qpNumber(),
                                polled.id(),
                                polled.status().name(),
                                polled.opcode().isReceive()),
                        -1,
                        Integer::sum);
            }
        }
        List<RunFailure> failures = new ArrayList<>();
        missing.forEach((entry, count) -> {
            if (count != 0) {
                failures.add(new RunFailure(
                        RunFailure.COMPLETIONS,
                        entry + (count > 0 ? " was made but never polled" : " was polled but not made")));
            }
        });
        return failures;
    }

    long packets() {
        return packets;
    }

    Map<String, Long> statuses() {
        return statuses;
    }
}
