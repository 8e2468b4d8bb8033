// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sources in the order in which they announced themselves. On the lane.
 *
 * <p>Most of the time there is one, the same again and again. It is remembered when it has its turn, so that announcing it stores no
 * reference: under G1 that costs a full fence.
 */
final class TurnQueue {

    private final ArrayDeque<PacketSource> others = new ArrayDeque<>();

    /** The first in the line if {@link #hasFirst}; else the one that was it last. */
    private @Nullable PacketSource first;

    private boolean hasFirst;

    boolean isEmpty() {
        return !hasFirst && others.isEmpty();
    }

    int size() {
        return others.size() + (hasFirst ? 1 : 0);
    }

    /** Puts it behind all others. */
    @SuppressWarnings("ReferenceEquality") // a source is its identity
    void addLast(PacketSource source) {
        if (hasFirst || !others.isEmpty()) {
            others.addLast(source);
            return;
        }
        if (first != source) {
            first = source;
        }
        hasFirst = true;
    }

    /** Takes the one that waits longest; null if none waits. */
    @Nullable
    PacketSource pollFirst() {
        if (hasFirst) {
            hasFirst = false;
            return first;
        }
        return others.pollFirst();
    }
}
