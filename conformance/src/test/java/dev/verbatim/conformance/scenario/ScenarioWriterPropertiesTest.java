// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.form.Problems;
import dev.verbatim.conformance.scenario.form.YamlReader;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is written is read back as it was. */
class ScenarioWriterPropertiesTest {

    @Property(tries = 600)
    void writtenScenarioIsReadAsAnEqualOne(@ForAll long seed) {
        Scenario scenario = new RandomScenarios(seed).scenario();

        String yaml = ScenarioWriter.write(scenario);
        Problems problems = new Problems();
        Scenario read = YamlReader.read(yaml, ScenarioForm.FORM, problems);

        assertThat(problems.list()).as(yaml).isEmpty();
        assertThat(read).as(yaml).isEqualTo(scenario);
    }

    @Example
    void shippedScenarioIsReadAsAnEqualOneWhenItWasWritten() {
        List<Path> files = ShippedFiles.all();
        assertThat(files).isNotEmpty().allSatisfy(file -> {
            Scenario scenario = ScenarioReader.read(file).scenario();
            String yaml = ScenarioWriter.write(scenario);
            assertThat(ScenarioReader.read("again.yaml", yaml).scenario())
                    .as(yaml)
                    .isEqualTo(scenario);
        });
    }
}
