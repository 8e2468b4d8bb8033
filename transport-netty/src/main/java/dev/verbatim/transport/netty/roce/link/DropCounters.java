// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.link;

import dev.verbatim.transport.netty.roce.datagram.DropReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts datagrams that were dropped, by reason. From any thread; counted on the lane. */
public final class DropCounters {

    private final Map<DropReason, AtomicLong> counts = new EnumMap<>(DropReason.class);

    private final AtomicLong failures = new AtomicLong();

    /** Nothing was dropped yet. */
    public DropCounters() {
        for (DropReason reason : DropReason.values()) {
            counts.put(reason, new AtomicLong());
        }
    }

    void count(DropReason reason) {
        Objects.requireNonNull(counts.get(reason)).incrementAndGet();
    }

    void countFailure() {
        failures.incrementAndGet();
    }

    /** What is not 0, by reason; {@code SOCKET} for sockets that refused to send or to receive. */
    public Map<String, Long> byReason() {
        Map<String, Long> counted = new TreeMap<>();
        counts.forEach((reason, count) -> counted.put(reason.name(), count.get()));
        counted.put("SOCKET", failures.get());
        counted.values().removeIf(count -> count == 0);
        return counted;
    }
}
