// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a run ended: what registers and words hold, in the order of their names.
 *
 * @param values numbers in decimal, statuses by name
 */
public record Outcome(Map<String, String> values) {

    /** Sorts and copies the values. */
    public Outcome {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(new TreeMap<>(values)));
    }

    /** The same with one more value. */
    Outcome with(String name, String value) {
        Map<String, String> more = new TreeMap<>(values);
        more.put(name, value);
        return new Outcome(more);
    }

    /** The same without the names that are not among {@code names}. */
    public Outcome only(Collection<String> names) {
        Map<String, String> fewer = new TreeMap<>(values);
        fewer.keySet().retainAll(names);
        return new Outcome(fewer);
    }

    /** Such as {@code r=1 x=0}; equal outcomes have equal texts. */
    @Override
    public String toString() {
        return values.isEmpty()
                ? "nothing to see"
                : values.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" "));
    }
}
