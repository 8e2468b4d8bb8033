// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.Forbidden;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario says of its outcomes, as herd says it of the final states of a test.
 *
 * @param quantifier of the executions
 * @param patterns of which one holds where the proposition does
 */
record HerdCondition(Quantifier quantifier, List<OutcomePattern> patterns) {

    /** Over the executions of a test; each with herd's kind of test. */
    enum Quantifier {
        EXISTS("exists", "Allowed"),
        NOT_EXISTS("~exists", "Forbidden"),
        FORALL("forall", "Required");

        private final String word;
        private final String kind;

        Quantifier(String word, String kind) {
            this.word = word;
            this.kind = kind;
        }
    }

    /**
     * The condition of a scenario: that what it forbids does not exist, that its stale outcome exists, or that all outcomes are allowed.
     *
     * @param asked the outcome of which it is asked whether it exists; null for what the scenario says
     * @return null if nothing is said
     */
    static @Nullable HerdCondition of(Scenario scenario, @Nullable OutcomePattern asked) {
        OutcomePattern existing = asked == null && scenario.forbidden().isEmpty() ? scenario.stale() : asked;
        if (existing != null) {
            return new HerdCondition(Quantifier.EXISTS, List.of(existing));
        }
        if (!scenario.forbidden().isEmpty()) {
            return new HerdCondition(
                    Quantifier.NOT_EXISTS,
                    scenario.forbidden().stream().map(Forbidden::outcome).toList());
        }
        return scenario.allowed().isEmpty() ? null : new HerdCondition(Quantifier.FORALL, scenario.allowed());
    }

    /** Whether the proposition holds in an outcome. */
    boolean holdsIn(Outcome outcome) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(outcome));
    }

    /** Whether the condition holds of executions in so many of which the proposition does and does not. */
    boolean isValidated(long positive, long negative) {
        return switch (quantifier) {
            case EXISTS -> positive > 0;
            case NOT_EXISTS -> positive == 0;
            case FORALL -> negative == 0;
        };
    }

    /** Herd's kind of test. */
    String kind() {
        return quantifier.kind;
    }

    /** Such as {@code ~exists (r0=1 /\ r1=0)}. */
    @Override
    public String toString() {
        return quantifier.word
                + patterns.stream()
                        .map(pattern -> conjunction(pattern, patterns.size() > 1))
                        .collect(Collectors.joining(" \\/ ", " (", ")"));
    }

    private static String conjunction(OutcomePattern pattern, boolean isInner) {
        String text = pattern.values().entrySet().stream()
                .map(entry -> {
                    List<String> alternatives = entry.getValue().stream()
                            .map(value -> entry.getKey() + "=" + value)
                            .toList();
                    String joined = String.join(" \\/ ", alternatives);
                    return alternatives.size() > 1 ? "(" + joined + ")" : joined;
                })
                .collect(Collectors.joining(" /\\ "));
        return isInner && pattern.values().size() > 1 ? "(" + text + ")" : text;
    }
}
