// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a mapping's keys, while something is made of them. */
public final class Values {

    private final Map<String, Object> byKey = new HashMap<>();

    Values() {}

    void put(String key, Object value) {
        byKey.put(key, value);
    }

    /** The value of a key that has one in any case. */
    public <T> T get(Key<?, T> key) {
        T value = orNull(key);
        if (value == null) {
            throw new IllegalStateException("key=" + key.name() + " has neither value nor default; ask for orNull");
        }
        return value;
    }

    /** The value of a key; null if it is not in the file and has no default. */
    @SuppressWarnings("unchecked") // a key's form made the value
    public <T> @Nullable T orNull(Key<?, T> key) {
        Object value = byKey.get(key.name());
        return value == null ? key.otherwise() : (T) value;
    }
}
