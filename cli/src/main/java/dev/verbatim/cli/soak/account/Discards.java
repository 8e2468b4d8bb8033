// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import java.util.ArrayList;
import java.util.List;

/** When a queue lost its requests to a RESET or to its end: not a moment but the time that the verb took. */
public final class Discards {

    private record Discard(long beginNanos, long endNanos) {}

    private final List<Discard> all = new ArrayList<>();

    public synchronized void add(long beginNanos, long endNanos) {
        all.add(new Discard(beginNanos, endNanos));
    }

    /** Whether the request may have been in the queue when it lost them. */
    synchronized boolean mayHaveTaken(Posted posted) {
        return all.stream().anyMatch(discard -> discard.endNanos >= posted.beginNanos());
    }

    /** Whether the request was in the queue when it lost them, all of that before this time. */
    synchronized boolean hadTaken(Posted posted, long nanos) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Discard discard = all.get(i);
            if (discard.endNanos < nanos && discard.beginNanos > posted.endNanos()) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing was lost between the post of one and the post of the other. */
    synchronized boolean noneBetween(Posted one, Posted other) {
        long from = Math.min(one.beginNanos(), other.beginNanos());
        long to = Math.max(end(one), end(other));
        return all.stream().noneMatch(discard -> discard.endNanos >= from && discard.beginNanos <= to);
    }

    private static long end(Posted posted) {
        return posted.endNanos() == Posted.NOT_YET ? System.nanoTime() : posted.endNanos();
    }
}
