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
 * @param troubles what was wrong; empty if nothing was
 * @param choices the choices that were made: they show the same again
 * @param tally how often each point was asked
 * @param packets how many packets were sent
 * @param virtualNanos how much virtual time passed
 * @param statuses how many completions had each status
 */
public record Executed(
        Verdict verdict,
        List<Trouble> troubles,
        ChoiceList choices,
        ChoiceTally tally,
        long packets,
        long virtualNanos,
        Map<String, Long> statuses) {

    /** Whether nothing was wrong. */
    public boolean isGood() {
        return troubles.isEmpty();
    }

    /** Whether it shows trouble of that kind. */
    boolean shows(String kind) {
        return troubles.stream().anyMatch(trouble -> trouble.kind().equals(kind));
    }
}
