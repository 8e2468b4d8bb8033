// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Owned bytes by address, which may overlap: one map for lengths up to each power of two, so that a search looks back no further. */
final class OwnedRanges {

    private final List<TreeMap<Long, OwnedElement>> byBits = new ArrayList<>();

    /** Bit n is set if the map for lengths of n bits is not empty. */
    private int used;

    /** All that were added since it was empty lie between these. */
    private long lowest = Long.MAX_VALUE;

    private long highest = Long.MIN_VALUE;

    OwnedRanges() {
        for (int bits = 0; bits < Integer.SIZE; bits++) {
            byBits.add(new TreeMap<>());
        }
    }

    private static int bits(OwnedElement owned) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(owned.lengthBytes());
    }

    void add(OwnedElement owned) {
        int bits = bits(owned);
        OwnedElement other = byBits.get(bits).put(owned.from, owned);
        owned.next = other;
        if (other != null) {
            other.previous = owned;
        }
        used |= 1 << bits;
        lowest = Math.min(lowest, owned.from);
        highest = Math.max(highest, owned.to);
    }

    void remove(OwnedElement owned) {
        int bits = bits(owned);
        OwnedElement next = owned.next;
        OwnedElement previous = owned.previous;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else if (next != null) {
            byBits.get(bits).put(owned.from, next);
        } else {
            TreeMap<Long, OwnedElement> map = byBits.get(bits);
            map.remove(owned.from);
            if (map.isEmpty()) {
                used &= ~(1 << bits);
                if (used == 0) {
                    lowest = Long.MAX_VALUE;
                    highest = Long.MIN_VALUE;
                }
            }
        }
        owned.next = null;
        owned.previous = null;
    }

    /** Shows all that have one of these bytes. They must not change meanwhile. */
    void overlapping(long from, long to, Consumer<OwnedElement> found) {
        if (from >= highest || to <= lowest) {
            return;
        }
        for (int left = used; left != 0; left &= left - 1) {
            int bits = Integer.numberOfTrailingZeros(left);
            TreeMap<Long, OwnedElement> map = byBits.get(bits);
            Map.Entry<Long, OwnedElement> entry = map.lowerEntry(to);
            while (entry != null && entry.getKey() > from - (1L << bits)) {
                show(entry.getValue(), from, to, found);
                entry = map.lowerEntry(entry.getKey());
            }
        }
    }

    private static void show(@Nullable OwnedElement first, long from, long to, Consumer<OwnedElement> found) {
        for (OwnedElement owned = first; owned != null; owned = owned.next) {
            if (owned.overlaps(from, to)) {
                found.accept(owned);
            }
        }
    }

    boolean isEmpty() {
        return used == 0;
    }
}
