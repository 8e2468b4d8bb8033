// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.PacketDropped;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.wire.ExtensionHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Holds the Q_Keys of datagrams that were not dropped against those that the queue pairs have (UD-01). The oracle cannot: what
 * Q_Key a queue pair has is in no trace.
 */
final class QueueKeyLedger implements Tap {

    /** A queue pair of a device. */
    private record Place(String device, int queuePair) {}

    private final Map<Place, Deque<Integer>> accepted = new HashMap<>();

    @Override
    public void on(TraceEvent event) {
        if (event instanceof PacketReceived received && received.sourceQp() >= 0) {
            accepted.computeIfAbsent(new Place(received.device(), received.qp()), place -> new ArrayDeque<>())
                    .add(received.packet().extension(ExtensionHeader.Deth.class).queueKey());
        } else if (event instanceof PacketDropped dropped && dropped.sourceQp() >= 0) {
            Deque<Integer> keys = accepted.get(new Place(dropped.device(), dropped.qp()));
            if (keys != null) {
                keys.pollLast();
            }
        }
    }

    /** The datagrams that these nodes should not have taken. */
    List<RunFailure> compare(List<NodeState> nodes) {
        List<RunFailure> failures = new ArrayList<>();
        for (NodeState node : nodes) {
            accepted.forEach((place, keys) -> {
                QpSpec queuePair = place.device().equals(node.name()) ? node.spec(place.queuePair()) : null;
                if (queuePair != null) {
                    keys.stream()
                            .filter(key -> key != queuePair.queueKey())
                            .forEach(key -> failures.add(taken(place, queuePair, key)));
                }
            });
        }
        return failures;
    }

    private static RunFailure taken(Place place, QpSpec queuePair, int key) {
        return new RunFailure(
                "UD-01",
                String.format(
                        Locale.ROOT,
                        "node %s qp=0x%x has Q_Key 0x%08x and took a datagram with 0x%08x",
                        place.device(),
                        place.queuePair(),
                        queuePair.queueKey(),
                        key));
    }
}
