// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

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
    /** Key to what has to be added to an address of it to get that of memory, once that was seen. */
    private final Map<Integer, Long> displacements = new HashMap<>();

    void changed(int key, boolean valid, long position) {
        displacements.remove(key);
        if (valid) {
            revoked.remove(key);
        } else {
            revoked.put(key, position);
        }
    }

    /** Where the key was revoked; null if it was not, or never seen. */
    @Nullable
    Long revokedAt(int key) {
        return revoked.isEmpty() ? null : revoked.get(key);
    }

    /** Whether an address of the key can be that address of memory, given what was seen of the key before. */
    boolean agrees(int key, long address, long memoryAddress) {
        Long known = displacements.putIfAbsent(key, memoryAddress - address);
        return known == null || known == memoryAddress - address;
    }
}
