// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.form.Variants;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The word that a step begins with, and its fields: from them come the parser, the writer and the schema.
 *
 * @param word the first key of the step
 * @param type its class
 * @param mapping the word and the other fields
 * @param fits which steps of that class the word can say
 */
public record StepWord<S extends Step>(String word, Class<S> type, Mapping<S> mapping, Predicate<S> fits) {

    /** A word for every step of that class; its fields follow. */
    public StepWord(String word, Class<S> type) {
        this(word, type, step -> true);
    }

    /** A word for some steps of that class; its fields follow. */
    public StepWord(String word, Class<S> type, Predicate<S> fits) {
        this(word, type, new Mapping<>(word, article(word) + " " + word + " step"), fits);
    }

    /** A word whose step has but the field that the word itself names. */
    public static <S extends Step, T> StepWord<S> ofHead(
            String word,
            Class<S> type,
            Form<T> form,
            Function<S, @Nullable T> getter,
            String help,
            Function<T, S> maker) {
        StepWord<S> whole = new StepWord<>(word, type);
        Key<S, T> head = whole.head(form, getter, help);
        return whole.making(values -> maker.apply(values.get(head)));
    }

    private static String article(String word) {
        return "aeiou".indexOf(word.charAt(0)) < 0 ? "a" : "an";
    }

    /** The field that the word itself names. */
    public <T> Key<S, T> head(Form<T> form, Function<S, @Nullable T> getter, String help) {
        return mapping.required(word, form, getter, help);
    }

    /** A field that must be there. */
    public <T> Key<S, T> required(String key, Form<T> form, Function<S, @Nullable T> getter, String help) {
        return mapping.required(key, form, getter, help);
    }

    /** A field that may be left out, and is {@code otherwise} then. */
    public <T> Key<S, T> optional(String key, Form<T> form, T otherwise, Function<S, @Nullable T> getter, String help) {
        return mapping.optional(key, form, otherwise, getter, help);
    }

    /** A field that may be left out, and is null then. */
    public <T> Key<S, T> perhaps(String key, Form<T> form, Function<S, @Nullable T> getter, String help) {
        return mapping.perhaps(key, form, getter, help);
    }

    /** The queue pair that the step uses; null for the only one. */
    public Key<S, String> qp(Function<S, @Nullable String> getter) {
        return perhaps("qp", Forms.name("the name of a queue pair"), getter, "Queue pair, if there are several.");
    }

    /** The completion queue that the step uses; null for the only one. */
    public Key<S, String> cq(Function<S, @Nullable String> getter) {
        return perhaps(
                "cq", Forms.name("the name of a completion queue"), getter, "Completion queue, if there are several.");
    }

    /** How the verb must fail; null if it must succeed. */
    public Key<S, ExpectedError> error(Function<S, @Nullable ExpectedError> getter) {
        return perhaps("error", ExpectedError.FORM, getter, "How it must fail.");
    }

    /** What makes the step of the values, behind the last field. */
    public StepWord<S> making(Function<Values, S> maker) {
        mapping.making(maker);
        return this;
    }

    /** Adds the word to a table. */
    public void addTo(Variants<Step> words) {
        words.add(word, mapping, type, fits);
    }
}
