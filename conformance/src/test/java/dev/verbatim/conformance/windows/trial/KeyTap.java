// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.trace.TraceEvent.MemoryTouched;
import dev.verbatim.trace.TraceEvent.WindowChange;
import dev.verbatim.trace.TraceEvent.WindowChanged;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The keys that devices say are valid, and what only the order of events shows: nothing is touched by a key that is not valid
 * (KEY-P2), and a SEND_WITH_INV places, revokes and completes, in this order (MW-84).
 */
final class KeyTap implements Tap {

    private final Map<String, Set<Integer>> keys = new TreeMap<>();
    private final Set<String> revoking = new TreeSet<>();
    private String wrong = "";

    @Override
    public void on(TraceEvent event) {
        if (event instanceof KeyChanged change) {
            changed(change);
        } else if (event instanceof MemoryTouched touch) {
            touched(touch);
        } else if (event instanceof WindowChanged change && change.change() == WindowChange.INVALIDATED_BY_PEER) {
            revoking.add(place(event));
        } else if (event instanceof Completed completed && completed.opcode().isReceive()) {
            revoking.remove(place(event));
        }
    }

    private void changed(KeyChanged change) {
        Set<Integer> ofDevice = keys.computeIfAbsent(change.device(), unused -> new HashSet<>());
        if (!(change.valid() ? ofDevice.add(change.key()) : ofDevice.remove(change.key()))) {
            wrong = "said twice: " + change;
        }
    }

    private void touched(MemoryTouched touch) {
        if (!of(touch.device()).contains(touch.key())) {
            wrong = "by a key that is not valid [KEY-P2]: " + touch;
        }
        if (touch.effect() == MemoryEffect.PLACED && revoking.contains(place(touch))) {
            wrong = "after the revocation [MW-84]: " + touch;
        }
    }

    private static String place(TraceEvent event) {
        return event.device() + event.qp();
    }

    Set<Integer> of(String device) {
        return keys.getOrDefault(device, Set.of());
    }

    /** Fails if the order of events was wrong. */
    void check() {
        if (!revoking.isEmpty()) {
            wrong = "a receive completed before the revocation [MW-84]";
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong);
        }
    }
}
