// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent.KeyChanged;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of one device: which are revoked, and how the addresses that each understands relate to those of memory. */
final class KeyLedger {

    private static final int MOST_REVOKED = 1 << 16;

    /** Key to the place in the trace where it was revoked. */
    private final Map<Integer, Long> revoked = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
            return size() > MOST_REVOKED;
        }
    };

    private final Map<Integer, KeyChanged> ranges = new HashMap<>();
    /** Of keys older than the trace: what has to be added to an address to get that of memory, once that was seen. */
    private final Map<Integer, Long> displacements = new HashMap<>();

    void changed(KeyChanged event, long position) {
        displacements.remove(event.key());
        if (event.valid()) {
            revoked.remove(event.key());
            ranges.put(event.key(), event);
        } else {
            revoked.put(event.key(), position);
            ranges.remove(event.key());
        }
    }

    /** Where the key was revoked; null if it was not, or never seen. */
    @Nullable
    Long revokedAt(int key) {
        return revoked.isEmpty() ? null : revoked.get(key);
    }

    /** Whether so many bytes from an address of the key on can be those at that address of memory. */
    boolean agrees(int key, long address, long memoryAddress, int lengthBytes) {
        KeyChanged range = ranges.get(key);
        if (range == null) {
            Long known = displacements.putIfAbsent(key, memoryAddress - address);
            return known == null || known == memoryAddress - address;
        }
        long offset = address - range.address();
        return offset >= 0
                && offset + lengthBytes <= range.lengthBytes()
                && memoryAddress - range.memoryAddress() == offset;
    }
}
