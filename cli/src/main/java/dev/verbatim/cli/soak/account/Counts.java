// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often something was seen, by name. */
public final class Counts {

    private final Map<String, LongAdder> byName = new ConcurrentHashMap<>();

    public void add(String name) {
        add(name, 1);
    }

    void add(String name, long count) {
        byName.computeIfAbsent(name, fresh -> new LongAdder()).add(count);
    }

    public Map<String, Long> all() {
        Map<String, Long> counts = new TreeMap<>();
        byName.forEach((name, count) -> counts.put(name, count.sum()));
        return counts;
    }
}
