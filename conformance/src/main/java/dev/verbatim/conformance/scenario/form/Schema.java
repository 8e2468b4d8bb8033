// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A piece of a JSON schema (draft 2020-12). */
public record Schema(Map<String, Object> json) {

    /** A schema with one keyword. */
    static Schema of(String keyword, Object value) {
        return new Schema(Map.of()).with(keyword, value);
    }

    /** A schema that says of which JSON type the value is. */
    static Schema type(String type) {
        return of("type", type);
    }

    /** What {@code then} accepts of that which {@code test} accepts, and {@code otherwise} of all else: errors are those of one. */
    static Schema choose(Schema test, Schema then, Schema otherwise) {
        return of("if", test).with("then", then).with("else", otherwise);
    }

    /** An object whose keys are all among these. */
    static Schema onlyKeys(Collection<String> keys) {
        return of("propertyNames", of("enum", List.copyOf(keys)));
    }

    /** The same with one more keyword. */
    Schema with(String keyword, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(json);
        more.put(keyword, value instanceof Schema schema ? schema.json : value);
        return new Schema(more);
    }

    /** The pieces that others refer to. */
    public static final class Definitions {

        private final Map<String, Object> byName = new TreeMap<>();

        /** None yet. */
        public Definitions() {}

        /** A reference to the definition of that name, which is made when it is first asked for. */
        Schema refer(String name, Supplier<Schema> definition) {
            if (!byName.containsKey(name)) {
                byName.put(name, Map.of());
                byName.put(name, definition.get().json);
            }
            return of("$ref", "#/$defs/" + name);
        }

        /** All of them. */
        public Map<String, Object> json() {
            return byName;
        }
    }
}
