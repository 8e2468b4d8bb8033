// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A mapping with known keys, which stands for one record. */
public final class Mapping<R> implements Form<R> {

    private final String name;
    private final String what;
    private final Map<String, Key<R, ?>> keys = new LinkedHashMap<>();
    private @Nullable Function<Values, R> maker;

    /**
     * A mapping without keys.
     *
     * @param name for the schema
     * @param what for messages, with an article
     */
    public Mapping(String name, String what) {
        this.name = name;
        this.what = what;
    }

    /** A key that must be there. */
    public <T> Key<R, T> required(String key, Form<T> form, Function<R, @Nullable T> getter, String help) {
        return add(new Key<>(key, form, true, null, getter, help));
    }

    /** A key that may be left out, and is {@code otherwise} then. */
    public <T> Key<R, T> optional(String key, Form<T> form, T otherwise, Function<R, @Nullable T> getter, String help) {
        return add(new Key<>(key, form, false, otherwise, getter, help));
    }

    /** A key that may be left out, and is null then. */
    public <T> Key<R, T> perhaps(String key, Form<T> form, Function<R, @Nullable T> getter, String help) {
        return add(new Key<>(key, form, false, null, getter, help));
    }

    private <T> Key<R, T> add(Key<R, T> key) {
        if (keys.putIfAbsent(key.name(), key) != null) {
            throw new IllegalStateException("key=" + key.name() + " of " + name + " is there twice; rename one");
        }
        return key;
    }

    /** What to make of the values; an {@link IllegalArgumentException} is reported as a problem of the mapping. */
    public Mapping<R> making(Function<Values, R> how) {
        maker = how;
        return this;
    }

    /** The keys, in the order in which they are written. */
    Set<String> keyNames() {
        return keys.keySet();
    }

    /** What a key is for. */
    String help(String key) {
        Key<R, ?> known = keys.get(key);
        return known == null ? "" : known.help();
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public @Nullable R read(Spot spot) {
        if (!(spot.tree() instanceof Tree.Entries entries)) {
            return spot.expected(what + "; write it as a mapping with keys such as "
                    + String.join(", ", keys.keySet().stream().limit(4).toList()));
        }
        Values values = new Values();
        Set<String> seen = new HashSet<>();
        boolean good = true;
        for (Tree.Entry entry : entries.entries()) {
            good &= readEntry(spot, entry, seen, values);
        }
        List<String> missing = new ArrayList<>();
        keys.values().stream()
                .filter(key -> key.required() && !seen.contains(key.name()))
                .forEach(key -> missing.add(key.name()));
        if (!missing.isEmpty()) {
            return spot.refuse(what + " needs " + String.join(" and ", missing) + "; add it");
        }
        if (!good || maker == null) {
            return null;
        }
        try {
            return maker.apply(values);
        } catch (IllegalArgumentException e) {
            return spot.refuse(String.valueOf(e.getMessage()));
        }
    }

    private boolean readEntry(Spot spot, Tree.Entry entry, Set<String> seen, Values values) {
        String name = entry.key().text();
        Key<R, ?> key = keys.get(name);
        if (key == null) {
            spot.refuse(
                    entry.key().mark(),
                    name + " is not a key of " + what + "; " + NearestWord.advice(name, keys.keySet()));
            return false;
        }
        if (!seen.add(name)) {
            spot.refuse(entry.key().mark(), name + " is there twice; keep one");
            return false;
        }
        Object value = key.form().read(spot.child(name, entry.value()));
        if (value == null) {
            return false;
        }
        values.put(name, value);
        return true;
    }

    @Override
    public Map<String, Object> write(R value) {
        Map<String, Object> written = new LinkedHashMap<>();
        for (Key<R, ?> key : keys.values()) {
            Object part = key.write(value);
            if (part != null) {
                written.put(key.name(), part);
            }
        }
        return written;
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return definitions.refer(name, () -> {
            Map<String, Object> properties = new LinkedHashMap<>();
            List<String> required = new ArrayList<>();
            for (Key<R, ?> key : keys.values()) {
                Schema of = key.form().schema(definitions);
                properties.put(key.name(), of.with("description", key.help()).json());
                if (key.required()) {
                    required.add(key.name());
                }
            }
            Schema schema = Schema.type("object").with("properties", properties).with("additionalProperties", false);
            // A key that is misspelt is one mistake, and not a missing key besides.
            return required.isEmpty()
                    ? schema
                    : schema.with("if", Schema.onlyKeys(keys.keySet())).with("then", Schema.of("required", required));
        });
    }
}
