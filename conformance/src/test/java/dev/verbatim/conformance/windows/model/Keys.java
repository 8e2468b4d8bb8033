// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keys are 24 bits of index and 8 bits of variant (KEY-01). Which numbers a device gives out is its own affair (N14), but not
 * everything is right: this remembers what it gave out, and says what is wrong with a new one (KEY-05).
 */
public final class Keys {

    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = 0xff;
    private static final int ENOUGH_OTHERS = 255;

    private final Map<Integer, Deque<Integer>> issued = new TreeMap<>();
    private final Map<Integer, Integer> last = new TreeMap<>();

    /** The same index, the next variant (MW-72). */
    public static int next(int key) {
        return withVariant(key, key + 1);
    }

    /** The index of one, the variant of the other (MW-30). */
    public static int withVariant(int key, int variant) {
        return (key & ~VARIANT_MASK) | (variant & VARIANT_MASK);
    }

    static int index(int key) {
        return key >>> VARIANT_BITS;
    }

    /** The device made this key; returns what is wrong with it. */
    List<String> issue(int key, List<Integer> liveKeys) {
        List<String> wrong = new ArrayList<>();
        if (index(key) == 0) {
            wrong.add("has index 0 [KEY-P7]");
        }
        if (liveKeys.contains(key)) {
            wrong.add("is in use [KEY-P1]");
        }
        if (last.getOrDefault(index(key), key + 1) == key) {
            wrong.add("is the last one that its index had [KEY-P5]");
        }
        if (issuedAt(key).contains(key)) {
            wrong.add("comes back before 255 others of its index [KEY-P3]");
        }
        stepped(key);
        return wrong;
    }

    /** A window of type 1 came to this key, the next one. */
    void stepped(int key) {
        Deque<Integer> before = issuedAt(key);
        before.addLast(key);
        if (before.size() > ENOUGH_OTHERS) {
            before.removeFirst();
        }
        chosen(key);
    }

    /** The program made this key. */
    void chosen(int key) {
        last.put(index(key), key);
    }

    private Deque<Integer> issuedAt(int key) {
        return issued.computeIfAbsent(index(key), unused -> new ArrayDeque<>());
    }
}
