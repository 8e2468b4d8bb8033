// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What one thread posted to one queue and is not accounted for, in the order of its posts, which is the queue's too. */
final class PendingRequests {

    private final Map<Long, Posted> open = new LinkedHashMap<>();
    private long next;
    private long lastPolled = -1;
    private @Nullable Posted failed;

    synchronized long nextSequence() {
        return next++;
    }

    synchronized void put(Posted posted) {
        open.put(posted.id(), posted);
    }

    synchronized @Nullable Posted take(long id) {
        return open.remove(id);
    }

    /** Removes those that a success behind them tells of; how many. */
    synchronized int takeSilentBefore(Posted later, Predicate<Posted> sameLife) {
        List<Long> silent = new ArrayList<>();
        for (Posted earlier : open.values()) {
            if (earlier.id() >= later.id()) {
                break;
            }
            if (!earlier.isSignaled() && sameLife.test(earlier)) {
                silent.add(earlier.id());
            }
        }
        silent.forEach(open::remove);
        return silent.size();
    }

    /** Whether one that was posted later was polled before; where one thread polls at a time. */
    synchronized boolean isOvertaken(long id) {
        long sequence = RequestId.sequence(id);
        boolean overtaken = sequence < lastPolled;
        lastPolled = Math.max(lastPolled, sequence);
        return overtaken;
    }

    /** A request failed; the oldest of the queue's present life is remembered. */
    synchronized void failed(Posted posted, Predicate<Posted> sameLife) {
        Posted before = failed;
        if (before == null || posted.id() < before.id() || !sameLife.test(before)) {
            failed = posted;
        }
    }

    /** The oldest failure, where one is remembered that is older than this request. */
    synchronized @Nullable Posted failureBefore(Posted posted) {
        Posted before = failed;
        return before != null && before.id() < posted.id() ? before : null;
    }

    synchronized List<Posted> all() {
        return List.copyOf(open.values());
    }
}
