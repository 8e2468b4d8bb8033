// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.conformance.scenario.ChoiceSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.StepWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/scenarios.md teaches what is so. */
class ScenarioGuideTest {

    private static final Path GUIDE = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .getParent()
            .resolve("docs/scenarios.md");

    private static String guide() throws IOException {
        return Files.readString(GUIDE).replace("\r\n", "\n");
    }

    private static List<Scenario> scenarios() throws IOException {
        return Pattern.compile("(?s)```yaml\n(.*?)```")
                .matcher(guide())
                .results()
                .map(block ->
                        ScenarioReader.read("docs/scenarios.md", block.group(1)).scenario())
                .toList();
    }

    static Stream<Arguments> filesOnFabrics() throws IOException {
        List<Scenario> scenarios = scenarios();
        assertThat(scenarios).hasSizeGreaterThan(10);
        return scenarios.stream()
                .flatMap(scenario ->
                        Stream.of(FabricKind.values()).map(fabric -> Arguments.of(scenario.title(), fabric, scenario)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("filesOnFabrics")
    void fileOfTheGuideEndsAsItSays(String title, FabricKind fabric, Scenario scenario) {
        ScenarioRun run = ScenarioRun.on(fabric);
        assumeTrue(run.obstacle(scenario) == null, "the fabric cannot do that");
        assertThat(run.run(scenario).failures()).isEmpty();
    }

    @Test
    void fileOfTheGuideThatSaysWhatIsOpenHasExactlyItsOutcomes() throws IOException {
        List<Scenario> litmus = scenarios().stream()
                .filter(scenario -> !scenario.choices().equals(ChoiceSpec.USUAL))
                .toList();
        assertThat(litmus).hasSizeGreaterThan(1).allSatisfy(scenario -> {
            ExplorationResult findings = new ScenarioExploration(scenario, null).explore(all -> all);
            assertThat(findings.isGood()).as(findings.explored().toString()).isTrue();
            assertThat(findings.explored().isComplete()).isTrue();
        });
    }

    @Test
    void guideNamesEveryWord() throws IOException {
        String guide = guide();
        assertThat(StepWords.heads()).allSatisfy(word -> assertThat(guide).contains("`" + word + ": "));
    }
}
