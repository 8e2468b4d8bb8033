// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The keys that devices say are valid. */
final class LiveKeys implements Tap {

    private final Map<String, Set<Integer>> keys = new TreeMap<>();

    @Override
    public void on(TraceEvent event) {
        if (event instanceof KeyChanged change) {
            Set<Integer> ofDevice = keys.computeIfAbsent(change.device(), unused -> new TreeSet<>());
            if (change.valid() != (change.valid() ? ofDevice.add(change.key()) : !ofDevice.remove(change.key()))) {
                throw new AssertionError("said twice: " + change);
            }
        }
    }

    Set<Integer> of(String device) {
        return keys.getOrDefault(device, Set.of());
    }
}
