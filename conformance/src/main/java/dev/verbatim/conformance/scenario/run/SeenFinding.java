// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.sanitizer.Finding;

/**
 * What a sanitizer found in an exploration, and one execution in which it did.
 *
 * @param choices of that execution
 * @param isSampled whether only a run with a seed was seen to have it
 */
public record SeenFinding(Finding finding, Outcome outcome, ChoiceList choices, boolean isSampled) {

    /** The same at the step of the first of its places. */
    public Failure toFailure() {
        return failureOf(finding);
    }

    static Failure failureOf(Finding finding) {
        String path = finding.places().stream()
                .filter(place -> place.startsWith("nodes."))
                .findFirst()
                .orElse("");
        return new Failure("", path, "sanitizer", finding.toString());
    }
}
