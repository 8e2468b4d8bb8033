// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.report;

import java.util.List;

/**
 * Something that no rule permits.
 *
 * @param check the check that found it
 * @param sentence what happened, with both sides of the contradiction
 * @param positions where in the trace, counted from 0, earliest first
 */
public record Violation(Check check, String sentence, List<Long> positions) {

    /** Keeps the positions in order. */
    public Violation {
        positions = positions.stream().distinct().sorted().toList();
    }

    /** Id of the rule that forbids it. */
    public String rule() {
        return check.rule();
    }

    /** What happened, and where in the trace: {@code WRITE wr_id=2 started before ... (trace #10, #14)}. */
    public String placed() {
        String where = positions.stream()
                .map(position -> "#" + position)
                .reduce((a, b) -> a + ", " + b)
                .orElse("?");
        return sentence + " (trace " + where + ")";
    }

    /** One line: the rule, and what happened. */
    @Override
    public String toString() {
        return rule() + ": " + placed();
    }
}
