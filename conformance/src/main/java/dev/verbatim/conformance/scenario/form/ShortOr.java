// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A single value where that says it all, and something longer where not. */
record ShortOr<T>(Form<T> brief, Predicate<T> isShort, Form<T> full) implements Form<T> {

    private static final Schema SCALAR = Schema.of("type", List.of("string", "number", "boolean", "null"));

    @Override
    public String what() {
        return brief.what() + ", or " + full.what();
    }

    @Override
    public @Nullable T read(Spot spot) {
        return spot.scalar() != null ? brief.read(spot) : full.read(spot);
    }

    @Override
    public Object write(T value) {
        return isShort.test(value) ? brief.write(value) : full.write(value);
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return Schema.choose(SCALAR, brief.schema(definitions), full.schema(definitions));
    }
}
