// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Switches of one kind: how the value of each is said, and what sets it.
 *
 * @param <B> what collects them
 */
public final class SwitchTable<B> {

    private record Switch<B, T>(Form<T> form, BiFunction<B, T, B> setter) {

        @SuppressWarnings("unchecked") // the value was made by this switch's form
        void set(B builder, Object value) {
            B unused = setter.apply(builder, (T) value);
        }

        @SuppressWarnings("unchecked") // as in set
        <S> Key<S, T> key(Mapping<S> mapping, String word, Function<S, Map<String, Object>> values, String text) {
            return mapping.perhaps(word, form, spec -> (T) values.apply(spec).get(word), text);
        }
    }

    private final Map<String, Switch<B, ?>> switches = new LinkedHashMap<>();

    /** No switches yet. */
    SwitchTable() {}

    /** And one that is on or off. */
    SwitchTable<B> flag(String word, BiFunction<B, Boolean, B> setter) {
        switches.put(word, new Switch<>(Forms.flag(), setter));
        return this;
    }

    /** And one that has these positions. */
    <E extends Enum<E>> SwitchTable<B> constant(String word, String what, Class<E> type, BiFunction<B, E, B> setter) {
        switches.put(word, new Switch<>(Forms.constant(what, type), setter));
        return this;
    }

    /** By what they are called. */
    public Set<String> words() {
        return Collections.unmodifiableSet(switches.keySet());
    }

    /** Sets those that {@code values} has. */
    void set(B builder, Map<String, Object> values) {
        switches.forEach((word, each) -> {
            Object value = values.get(word);
            if (value != null) {
                each.set(builder, value);
            }
        });
    }

    /** In a file: a mapping of switches. */
    <S> Form<S> form(
            Mapping<S> mapping,
            String text,
            Function<S, Map<String, Object>> valuesOf,
            Function<Map<String, Object>, S> maker) {
        Map<String, Key<S, ?>> keys = new LinkedHashMap<>();
        switches.forEach((word, each) -> keys.put(word, each.key(mapping, word, valuesOf, text)));
        return mapping.making(values -> {
            Map<String, Object> said = new TreeMap<>();
            keys.forEach((word, key) -> {
                Object value = values.orNull(key);
                if (value != null) {
                    said.put(word, value);
                }
            });
            return maker.apply(said);
        });
    }
}
