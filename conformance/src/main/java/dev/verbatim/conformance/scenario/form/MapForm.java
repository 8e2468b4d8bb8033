// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A mapping whose keys are the writer's own. */
record MapForm<V>(Form<String> key, Form<V> value) implements Form<Map<String, V>> {

    @Override
    public String what() {
        return "a mapping from " + key.what() + " to " + value.what();
    }

    @Override
    public @Nullable Map<String, V> read(Spot spot) {
        if (!(spot.tree() instanceof Tree.Entries entries)) {
            return spot.expected(what());
        }
        Map<String, V> map = new LinkedHashMap<>();
        boolean good = true;
        for (Tree.Entry entry : entries.entries()) {
            String name = key.read(spot.child(entry.key().text(), entry.key()));
            V each = value.read(spot.child(entry.key().text(), entry.value()));
            if (name == null || each == null) {
                good = false;
            } else if (map.put(name, each) != null) {
                good = false;
                spot.refuse(entry.key().mark(), name + " is there twice; keep one");
            }
        }
        return good ? Collections.unmodifiableMap(map) : null;
    }

    @Override
    public Object write(Map<String, V> map) {
        Map<String, Object> written = new LinkedHashMap<>();
        map.forEach((name, each) -> written.put(String.valueOf(key.write(name)), value.write(each)));
        return written;
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return Schema.type("object")
                .with("propertyNames", key.schema(definitions))
                .with("additionalProperties", value.schema(definitions));
    }
}
