// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One of some words. */
record Choice<T>(String what, Map<String, T> byWord) implements Form<T> {

    @Override
    public @Nullable T read(Spot spot) {
        Tree.Scalar scalar = spot.scalar();
        if (scalar == null) {
            return spot.expected(what);
        }
        T value = byWord.get(scalar.text());
        return value == null ? spot.expected(what + "; " + NearestWord.advice(scalar.text(), byWord.keySet())) : value;
    }

    @Override
    public Object write(T value) {
        for (Map.Entry<String, T> word : byWord.entrySet()) {
            if (word.getValue().equals(value)) {
                return word.getKey();
            }
        }
        throw new IllegalArgumentException(value + " is not " + what + "; add a word for it");
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return Schema.of("enum", List.copyOf(byWord.keySet()));
    }
}
