// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.verbs.QueuePair;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The queue pairs of this process, which faults name by the order of their creation. From any thread. */
final class CreatedQueuePairs {

    /**
     * One of them.
     *
     * @param ordinal counted from 1
     */
    record Created(int ordinal, QueuePair queuePair) {}

    /** By device and number. */
    private final Map<Long, Created> byNumber = new ConcurrentHashMap<>();

    private final AtomicInteger made = new AtomicInteger();

    private static long key(int device, int number) {
        return ((long) device << Integer.SIZE) | number;
    }

    void add(int device, QueuePair queuePair) {
        byNumber.put(key(device, queuePair.number()), new Created(made.incrementAndGet(), queuePair));
    }

    void remove(int device, QueuePair queuePair) {
        byNumber.computeIfPresent(
                key(device, queuePair.number()),
                (key, created) -> created.queuePair().equals(queuePair) ? null : created);
    }

    /** That of a device and number; null if there is none. */
    @Nullable
    Created of(int device, int number) {
        return byNumber.get(key(device, number));
    }

    /** Those that a fault names: one, or all if it names none. */
    Iterable<Created> namedBy(Fault fault) {
        return byNumber.values().stream()
                .filter(created -> fault.queuePair() == 0 || created.ordinal() == fault.queuePair())
                .toList();
    }
}
