// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceTally;
import java.util.List;
import java.util.Map;

/**
 * One run of a program.
 *
 * @param verdict what the oracle says
 * @param failures what was wrong; empty if nothing was
 * @param choices the choices that were made: they show the same again
 * @param tally how often each point was asked
 * @param packets how many packets were sent
 * @param virtualNanos how much virtual time passed
 * @param statuses how many completions had each status
 */
public record ProgramResult(
        Verdict verdict,
        List<RunFailure> failures,
        ChoiceList choices,
        ChoiceTally tally,
        long packets,
        long virtualNanos,
        Map<String, Long> statuses) {

    /** Whether nothing was wrong. */
    public boolean isGood() {
        return failures.isEmpty();
    }

    /** Whether it shows failure of that kind. */
    boolean shows(String kind) {
        return failures.stream().anyMatch(failure -> failure.kind().equals(kind));
    }
}
