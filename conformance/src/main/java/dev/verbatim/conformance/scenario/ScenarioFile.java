// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Mark;
import dev.verbatim.conformance.scenario.form.Problems;

/** A scenario that was read from a file, and where its parts stand there. */
public final class ScenarioFile {

    private final String name;
    private final String text;
    private final Scenario scenario;
    private final Problems marks;

    ScenarioFile(String name, String text, Scenario scenario, Problems marks) {
        this.name = name;
        this.text = text;
        this.scenario = scenario;
        this.marks = marks;
    }

    /** The file's name, as it was given. */
    public String name() {
        return name;
    }

    /** Its text. */
    public String text() {
        return text;
    }

    /** What it says. */
    public Scenario scenario() {
        return scenario;
    }

    /** Where the keys of {@code path} lead, such as {@code nodes.a.program[2]}. */
    public Mark markOf(String path) {
        return marks.markOf(path);
    }
}
