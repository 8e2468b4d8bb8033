// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Some of the ways in which a scenario can end: each register or word has one of some values.
 *
 * @param values by name; numbers in decimal
 */
public record OutcomePattern(Map<String, List<String>> values) {

    private static final Form<String> VALUE = Forms.either(
            Forms.converted(Forms.word(), String::valueOf, Long::parseLong),
            value -> value.matches("-?[0-9]+"),
            Forms.name("a number or a word such as SUCCESS"),
            "a number or a word such as SUCCESS");

    /** In a file. */
    public static final Form<OutcomePattern> FORM = Forms.converted(
            Forms.mapOf(Forms.name("the name of a register or word"), Forms.oneOrMany(VALUE)),
            OutcomePattern::new,
            OutcomePattern::values);

    /** Copies the values. */
    public OutcomePattern {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, alternatives) -> copy.put(name, List.copyOf(alternatives)));
        values = Collections.unmodifiableMap(copy);
        if (values.isEmpty() || values.values().stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException("an outcome names registers or words with values; write {r: 1}");
        }
    }

    /**
     * The outcome as it is printed and given to commands: {@code seen=0 x=1}, or with commas.
     *
     * @throws IllegalArgumentException if it is not written like that
     */
    public static OutcomePattern parse(String text) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : text.strip().split("[ ,]+", -1)) {
            String[] sides = pair.split("=", -1);
            if (sides.length != 2 || sides[0].isEmpty() || sides[1].isEmpty()) {
                throw new IllegalArgumentException(
                        "outcome \"" + text + "\" has \"" + pair + "\"; write NAME=VALUE, such as seen=0");
            }
            values.put(sides[0], List.of(sides[1]));
        }
        return new OutcomePattern(values);
    }

    /** Whether that is how it ended. */
    public boolean matches(Outcome outcome) {
        // A register that was never set has no value.
        return values.entrySet().stream()
                .allMatch(entry -> entry.getValue().contains(outcome.values().getOrDefault(entry.getKey(), "")));
    }

    /** Every single outcome that this stands for. */
    public List<Outcome> each() {
        List<Outcome> all = List.of(new Outcome(Map.of()));
        for (Map.Entry<String, List<String>> entry : values.entrySet()) {
            all = all.stream()
                    .flatMap(outcome -> entry.getValue().stream().map(value -> outcome.with(entry.getKey(), value)))
                    .toList();
        }
        return all;
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "="
                        + (entry.getValue().size() == 1 ? entry.getValue().get(0) : entry.getValue()))
                .collect(Collectors.joining(" "));
    }
}
