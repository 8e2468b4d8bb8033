// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.YamlText;

/** Writes scenarios as YAML. */
public final class ScenarioWriter {

    private ScenarioWriter() {}

    /** The scenario as a file, which {@link ScenarioReader} reads as an equal one. */
    public static String write(Scenario scenario) {
        return YamlText.of(ScenarioForm.FORM.write(scenario));
    }
}
