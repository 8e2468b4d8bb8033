// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A single value that is converted. */
record ScalarForm<T>(
        String what, Schema schema, Function<Tree.Scalar, @Nullable T> reading, Function<T, Object> writing)
        implements Form<T> {

    @Override
    public @Nullable T read(Spot spot) {
        Tree.Scalar scalar = spot.scalar();
        T value = scalar == null ? null : reading.apply(scalar);
        return value == null ? spot.expected(what) : value;
    }

    @Override
    public Object write(T value) {
        return writing.apply(value);
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return schema;
    }
}
