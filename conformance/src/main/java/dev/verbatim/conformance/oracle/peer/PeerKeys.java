// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.trace.TraceEvent.KeyChanged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys that a peer reports. */
final class PeerKeys {

    private final Map<Integer, List<KeyChanged>> lives = new HashMap<>();

    void changed(KeyChanged event) {
        if (event.valid()) {
            lives.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(event);
        }
    }

    /** Whether the peer reports its keys. */
    boolean isReported() {
        return !lives.isEmpty();
    }

    int lives(int key) {
        return lives.getOrDefault(key, List.of()).size();
    }

    /** Whether the key was ever good for these bytes. */
    boolean covers(int key, long address, long lengthBytes) {
        return lives.getOrDefault(key, List.of()).stream()
                .anyMatch(life ->
                        address >= life.address() && address + lengthBytes <= life.address() + life.lengthBytes());
    }

    /** Returns where in memory that address of the key is; -1 if that is not clear. */
    long memoryAddress(int key, long address) {
        long found = -1;
        for (KeyChanged life : lives.getOrDefault(key, List.of())) {
            long place = life.memoryAddress() + address - life.address();
            if (found >= 0 && place != found) {
                return -1;
            }
            found = place;
        }
        return found;
    }
}
