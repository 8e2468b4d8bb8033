// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A file that is no scenario, or one whose parts do not fit together. */
public final class BadScenario extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String file;
    private final transient List<Problem> problems;

    BadScenario(String file, List<Problem> problems) {
        super(null, null, false, true);
        this.file = file;
        this.problems = List.copyOf(problems);
    }

    /** What is wrong; at least one thing. */
    public List<Problem> problems() {
        return problems;
    }

    /** One line for each problem. */
    @Override
    public String getMessage() {
        return problems.stream().map(problem -> problem.in(file)).collect(Collectors.joining("\n"));
    }
}
