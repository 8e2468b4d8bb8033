// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A mapping with one entry: something, and what belongs to it. Its key is written as one word. */
public record PairForm<K, V, P>(
        Form<K> key, Form<V> value, BiFunction<K, V, P> joining, Function<P, K> first, Function<P, V> second)
        implements Form<P> {

    @Override
    public String what() {
        return "a mapping from " + key.what() + " to " + value.what();
    }

    @Override
    public @Nullable P read(Spot spot) {
        if (!(spot.tree() instanceof Tree.Entries entries)) {
            return spot.expected(what());
        }
        if (entries.entries().size() != 1) {
            return spot.refuse("it has " + entries.entries().size() + " entries, not one; make a step of each");
        }
        Tree.Entry entry = entries.entries().get(0);
        K left = key.read(spot.child(entry.key().text(), entry.key()));
        V right = value.read(spot.child(entry.key().text(), entry.value()));
        return left == null || right == null ? null : joining.apply(left, right);
    }

    @Override
    public Object write(P pair) {
        return Map.of(String.valueOf(key.write(first.apply(pair))), value.write(second.apply(pair)));
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return Schema.type("object")
                .with("propertyNames", key.schema(definitions))
                .with("additionalProperties", value.schema(definitions))
                .with("minProperties", 1L)
                .with("maxProperties", 1L);
    }
}
