// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayList;
import java.util.List;

/** A program made mistakes that the rules permit. */
public final class SanitizerError extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    /** Reports these findings, at least one. */
    public SanitizerError(List<Finding> findings) {
        super(text(findings));
        this.findings = List.copyOf(findings);
    }

    private static String text(List<Finding> findings) {
        List<String> lines = new ArrayList<>();
        findings.forEach(finding -> lines.add(finding.toString()));
        return String.join("\n", lines);
    }

    /** What was found. */
    public List<Finding> findings() {
        return findings;
    }
}
