// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The last few of something, the oldest first; older ones are forgotten. */
final class RecentItems<T> {

    private static final int MOST = 64;

    private final ArrayDeque<T> items = new ArrayDeque<>();

    void add(T item) {
        items.addLast(item);
        if (items.size() > MOST) {
            items.removeFirst();
        }
    }

    /** The one that was added last; null for none. */
    @Nullable
    T last() {
        return items.peekLast();
    }

    /** The oldest of those that are sought; null if there is none. */
    @Nullable
    T find(Predicate<T> isSought) {
        for (T item : items) {
            if (isSought.test(item)) {
                return item;
            }
        }
        return null;
    }
}
