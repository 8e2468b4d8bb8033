// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.WcStatus;
import java.util.Map;
import java.util.Set;

/**
 * Where the device must give the rule that the model found broken. Elsewhere it may know better: of a key that is dead it says
 * what ended it, and the sender of a message knows less than its receiver.
 */
public final class Reasons {

    private static final Map<String, Set<String>> SAME = Map.of(
            "MR-12", Set.of("MR-12"),
            "MR-22", Set.of("MR-22", "MR-23"),
            "MR-41", Set.of("MR-41"),
            "MW-57", Set.of("MW-57", "MR-23"),
            "MW-103", Set.of("MW-103"),
            "MW-104", Set.of("MW-104", "MW-95"),
            "MW-106", Set.of("MW-106"),
            "MW-107", Set.of("MW-107", "MR-23"),
            "MW-108", Set.of("MW-108"));

    private Reasons() {}

    static boolean agree(WcStatus status, String rule, String explanation) {
        return switch (status) {
            case MW_BIND_ERR -> names(explanation, rule);
            case LOC_ACCESS_ERR -> agree(rule, explanation);
            default -> true;
        };
    }

    /** Whether a responder may explain so what it refuses by this rule. */
    public static boolean agree(String rule, String explanation) {
        return SAME.getOrDefault(rule, Set.of("")).stream().anyMatch(may -> names(explanation, may));
    }

    private static boolean names(String explanation, String rule) {
        return rule.isEmpty() || explanation.endsWith("[" + rule + "]");
    }
}
