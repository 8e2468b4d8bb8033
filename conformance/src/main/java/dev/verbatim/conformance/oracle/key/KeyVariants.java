// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.key;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Which variants a device gave to the keys of each index: none comes again too early, and index 0 never. */
public final class KeyVariants {

    private static final int VARIANT_BITS = 8;
    private static final int OTHERS = 255;
    private static final int FIRST_ROOM = 4;

    /** The newest variants of one index, at most 255. */
    private static final class Recent {
        private byte[] ring = new byte[FIRST_ROOM];
        private int count;
        private int next;
        private int lastKey;

        boolean contains(byte variant) {
            for (int i = 0; i < count; i++) {
                if (ring[i] == variant) {
                    return true;
                }
            }
            return false;
        }

        void add(byte variant) {
            if (count == ring.length && count < OTHERS) {
                ring = Arrays.copyOf(ring, Math.min(2 * count, OTHERS));
                next = count;
            }
            ring[next] = variant;
            next = (next + 1) % ring.length;
            count = Math.min(count + 1, ring.length);
        }
    }

    private final String device;
    private final Findings findings;
    private final Map<Integer, Recent> byIndex = new HashMap<>();

    public KeyVariants(String device, Findings findings) {
        this.device = device;
        this.findings = findings;
    }

    /** The device gave a key that it chose freely, to something that is new. */
    public void given(int key, long position) {
        Recent recent = recent(key);
        findings.checked(Check.KEY_INDEX);
        if (key >>> VARIANT_BITS == 0) {
            findings.violated(
                    Check.KEY_INDEX, Text.of("%s gives out %s, whose index is 0", device, Text.key(key)), position);
        }
        findings.checked(Check.KEY_RECYCLED);
        findings.checked(Check.KEY_FRESH);
        if (recent.lastKey == key) {
            findings.violated(
                    Check.KEY_RECYCLED,
                    Text.of("%s gives out %s, which was the last of its index", device, Text.key(key)),
                    position);
        } else if (recent.contains((byte) key)) {
            findings.violated(
                    Check.KEY_FRESH,
                    Text.of("%s gives out %s again before 255 others of its index", device, Text.key(key)),
                    position);
        }
        follows(key);
    }

    /** The device gave the key that follows from the one before. */
    public void follows(int key) {
        recent(key).add((byte) key);
        recent(key).lastKey = key;
    }

    /** A consumer chose the key. */
    public void chosen(int key) {
        recent(key).lastKey = key;
    }

    /** Whatever was given is as good as never given. */
    void forget() {
        byIndex.clear();
    }

    private Recent recent(int key) {
        return byIndex.computeIfAbsent(key >>> VARIANT_BITS, index -> new Recent());
    }
}
