// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * WRITEs of one aligned word each, and which of them a program sees that loads the word: not always the last one, since a device makes
 * placed bytes visible later, those of one word in the order in which it placed them.
 */
final class PlacedWords {

    private static final int MOST_WORDS = 1 << 16;
    private static final int MOST_HELD = 64;

    /** Of each word the WRITE that programs see; none if something else was written there. */
    private final TreeMap<Long, Access> visible = new TreeMap<>();

    /** Of each word the WRITEs that are placed and not yet visible, the oldest first. */
    private final Map<Long, Deque<Access>> held = new HashMap<>();

    /** A WRITE places the word. */
    void placed(Access write) {
        long address = write.range().address();
        if (held.size() >= MOST_WORDS && !held.containsKey(address)) {
            return;
        }
        Deque<Access> writes = held.computeIfAbsent(address, first -> new ArrayDeque<>(1));
        if (writes.size() == MOST_HELD) {
            writes.removeFirst();
        }
        writes.addLast(write);
    }

    /** Placed bytes are visible: of a word those that were placed first. */
    void shown(Range range) {
        Deque<Access> writes = held.get(range.address());
        if (writes == null || !range.equals(writes.getFirst().range())) {
            return;
        }
        if (visible.size() >= MOST_WORDS) {
            visible.pollFirstEntry();
        }
        visible.put(range.address(), writes.removeFirst());
        if (writes.isEmpty()) {
            held.remove(range.address());
        }
    }

    /** Something else writes to the bytes. */
    void overwritten(Range range) {
        if (!visible.isEmpty()) {
            visible.subMap(range.address() - Long.BYTES + 1, range.end()).clear();
        }
    }

    /** The WRITE whose value a load of these bytes has; null if it is not that of a WRITE of the word alone. */
    @Nullable
    Access seenAt(Range range) {
        Access write = visible.get(range.address());
        return write != null && write.range().equals(range) ? write : null;
    }
}
