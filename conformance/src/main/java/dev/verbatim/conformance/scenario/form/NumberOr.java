// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A number, or else something that no number is. */
record NumberOr<T>(Form<T> number, Predicate<T> isNumber, Form<T> other, String what) implements Form<T> {

    @Override
    public @Nullable T read(Spot spot) {
        Tree.Scalar scalar = spot.scalar();
        return scalar != null && Forms.asNumber(scalar) != null ? number.read(spot) : other.read(spot);
    }

    @Override
    public Object write(T value) {
        return isNumber.test(value) ? number.write(value) : other.write(value);
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return Schema.choose(Schema.type("number"), number.schema(definitions), other.schema(definitions));
    }
}
