// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.node.StepContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What can be asked of something: each answer with its word. */
public final class QueriedAttributes<T> {

    private final Map<String, Fact<T, ?>> byWord = new LinkedHashMap<>();

    private record Fact<T, V>(String word, Form<V> form, Function<T, V> getter) {

        BiConsumer<Values, Map<String, Object>> key(Mapping<Map<String, Object>> mapping) {
            @SuppressWarnings("unchecked") // what has this word was made by this form
            Key<Map<String, Object>, V> key =
                    mapping.perhaps(word, form, wanted -> (V) wanted.get(word), "It must have that value.");
            return (values, wanted) -> {
                V value = values.orNull(key);
                if (value != null) {
                    wanted.put(word, value);
                }
            };
        }

        Object written(T of) {
            return form.write(getter.apply(of));
        }
    }

    /** Adds one. */
    public <V> QueriedAttributes<T> add(String word, Form<V> form, Function<T, V> getter) {
        byWord.put(word, new Fact<>(word, form, getter));
        return this;
    }

    /** Adds a number. */
    public QueriedAttributes<T> count(String word, Function<T, Integer> getter) {
        return add(word, Forms.integer(0, Integer.MAX_VALUE), getter);
    }

    /** The words. */
    List<String> words() {
        return List.copyOf(byWord.keySet());
    }

    /** Wanted values by their words. */
    public Form<Map<String, Object>> wanted(String name, String what) {
        Mapping<Map<String, Object>> mapping = new Mapping<>(name, what);
        List<BiConsumer<Values, Map<String, Object>>> readers = new ArrayList<>();
        byWord.values().forEach(fact -> readers.add(fact.key(mapping)));
        return mapping.making(values -> {
            Map<String, Object> wanted = new LinkedHashMap<>();
            readers.forEach(reader -> reader.accept(values, wanted));
            return Collections.unmodifiableMap(wanted);
        });
    }

    /** Registers by the words of what they take. */
    public Form<Map<String, String>> into(String what) {
        Map<String, String> words = new LinkedHashMap<>();
        byWord.keySet().forEach(word -> words.put(word, word));
        return Forms.mapOf(Forms.oneOf(what, words), Forms.name("the name of a register"));
    }

    /** What stands in a file for the answer with that word. */
    String text(String word, T of) {
        return String.valueOf(Objects.requireNonNull(byWord.get(word)).written(of));
    }

    /** Compares answers with wanted ones, and puts answers into registers. */
    public void see(StepContext context, T found, Map<String, Object> wanted, Map<String, String> into) {
        for (Fact<T, ?> fact : byWord.values()) {
            Object value = wanted.get(fact.word);
            if (value != null && !value.equals(fact.getter.apply(found))) {
                context.fail(fact.word + "=" + fact.written(found) + ", not " + written(fact, value));
            }
        }
        into.forEach((word, register) -> context.node().registers().put(register, text(word, found)));
    }

    @SuppressWarnings("unchecked") // as in key
    private static <V> Object written(Fact<?, V> fact, Object value) {
        return fact.form.write((V) value);
    }
}
