// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.SanitizerError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said of a run that failed.
 *
 * @param findings of the sanitizer in this run, if it is not they that fail it
 */
record FailureReport(TestBody body, Throwable failure, List<Finding> findings, Story story) {

    private static final int MOST_FINDINGS = 16;

    /** How it was found, with how many choices, and what is left of those. */
    SimulatedTestFailure of(String found, ChoiceList made, ChoiceList fewest) {
        String repeat = "choices = \"" + fewest + "\"";
        List<String> lines = new ArrayList<>();
        lines.add(new FailureInWords(body, failure, findings, story.facts()).paragraph());
        lines.add("repeat with @SimulatedTest(" + repeat + ")");
        lines.add("found with " + found
                + needed(made.deviations().size(), fewest.deviations().size()));
        // What a sanitizer found names its places.
        lines.add(
                failure instanceof SanitizerError
                        ? String.valueOf(failure.getMessage())
                        : body.place(failure) + ": " + failure);
        for (Throwable other : failure.getSuppressed()) {
            lines.add(body.place(other) + ": " + other.getMessage());
        }
        findings.stream()
                .limit(MOST_FINDINGS)
                .forEach(finding -> lines.add("the sanitizer found in this run: " + finding));
        if (findings.size() > MOST_FINDINGS) {
            lines.add("and " + (findings.size() - MOST_FINDINGS) + " more");
        }
        Path page = FailurePage.write(body, failure, story::run);
        if (page != null) {
            lines.add("drawn in " + page);
        }
        lines.add(story.toString());
        return new SimulatedTestFailure(String.join("\n", lines), repeat, story.toString(), failure);
    }

    private static String needed(int made, int fewest) {
        return made == 0 ? "" : ": non-default choices=" + made + (fewest < made ? ", needed=" + fewest : "");
    }
}
