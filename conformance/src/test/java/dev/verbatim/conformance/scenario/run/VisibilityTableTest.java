// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.conformance.scenario.run.PlatformQuestion.Answer;
import dev.verbatim.sim.Explored;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Tries;
import dev.verbatim.visibility.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which outcomes of the programs of visibility are possible on which platforms: what docs/visibility.md has as a table. */
class VisibilityTableTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "visibility.md");
    private static final String FILES = "../conformance/src/main/resources/scenarios/visibility/";
    private static final String BEGIN = "<!-- programs: written by VisibilityTableTest -->";
    private static final String END = "<!-- end of programs -->";
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private static final long MOST_UNREDUCED = Tries.of("visibility.unreduced", 60, 2_000, 10_000);

    /** So many are small enough. */
    private static final int FEWEST_COMPARED = 10;

    /** Every so many programs are asked about. */
    private static final int EVERY = Tries.of("visibility.every", 18, 1, 1);

    private static Map<String, Path> programs() {
        Map<String, Path> programs = new LinkedHashMap<>();
        ShippedFiles.all().stream()
                .filter(file -> file.getParent().endsWith("visibility"))
                .forEach(file -> programs.put(file.getFileName().toString().replace(".yaml", ""), file));
        return programs;
    }

    private static String row(String program, Path file) {
        Scenario scenario = ScenarioReader.read(file).scenario();
        OutcomePattern stale = Objects.requireNonNull(scenario.stale(), program);
        PlatformQuestion question = new PlatformQuestion(scenario, stale, System::nanoTime, PATIENCE_NANOS);
        String answers = Platform.named().stream()
                .map(platform -> word(question.on(platform)))
                .collect(Collectors.joining(" | "));
        return "| [" + program + "](" + FILES + file.getFileName() + ") | " + scenario.title() + " | " + answers + " |";
    }

    private static String word(Answer answer) {
        return switch (answer) {
            case PERMITTED -> "yes";
            case FORBIDDEN -> "-";
            case UNKNOWN -> "?";
        };
    }

    private static List<String> rows() throws IOException {
        String text = Files.readString(DOCUMENT);
        return text.substring(text.indexOf(BEGIN), text.indexOf(END))
                .lines()
                .filter(line -> line.startsWith("| [VL-"))
                .toList();
    }

    @Test
    void staleOutcomeIsPossibleOnThePlatformsOfTheTable() throws IOException {
        Map<String, Path> programs = programs();
        if (Boolean.getBoolean("verbatim.update")) {
            write(programs);
        }
        List<String> rows = rows();
        assertThat(rows)
                .extracting(row -> row.replaceAll("^\\| \\[|\\].*", ""))
                .containsExactlyElementsOf(programs.keySet());
        assertThat(rows).noneMatch(row -> row.contains("?"));
        int number = 0;
        for (Map.Entry<String, Path> program : programs.entrySet()) {
            if (number % EVERY == 0) {
                assertThat(row(program.getKey(), program.getValue())).isEqualTo(rows.get(number));
            }
            number++;
        }
    }

    /** What each file says of its own platform. */
    @Test
    void programHasExactlyTheOutcomesThatItsFileAllows() {
        int number = 0;
        for (Map.Entry<String, Path> program : programs().entrySet()) {
            if (number % EVERY == EVERY / 2) {
                Scenario scenario = ScenarioReader.read(program.getValue()).scenario();
                ExplorationResult result = new ScenarioExploration(scenario, null).explore(all -> all);
                assertThat(result.isGood()).as(program.getKey()).isTrue();
            }
            number++;
        }
    }

    /** Those that are small enough to be walked through without reduction. */
    @Test
    @LongTest
    void reducedWalkFindsAllThatTheUnreducedOneDoes() {
        int compared = 0;
        for (Map.Entry<String, Path> program : programs().entrySet()) {
            Scenario scenario = ScenarioReader.read(program.getValue()).scenario();
            Explored unreduced = new ScenarioExploration(scenario, null)
                    .explore(all -> all.unreduced().atMostExecutions(MOST_UNREDUCED))
                    .explored();
            if (unreduced.isComplete()) {
                compared++;
                assertThat(new ScenarioExploration(scenario, null)
                                .explore(all -> all)
                                .explored()
                                .outcomes()
                                .keySet())
                        .as(program.getKey())
                        .isEqualTo(unreduced.outcomes().keySet());
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(FEWEST_COMPARED);
    }

    private static void write(Map<String, Path> programs) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("| program | what it is | "
                + Platform.named().stream().map(Platform::name).collect(Collectors.joining(" | ")) + " |");
        lines.add("|---|---|" + "---|".repeat(Platform.named().size()));
        programs.forEach((program, file) -> lines.add(row(program, file)));
        String text = Files.readString(DOCUMENT);
        Files.writeString(
                DOCUMENT,
                text.substring(0, text.indexOf(BEGIN) + BEGIN.length()) + "\n\n" + String.join("\n", lines) + "\n\n"
                        + text.substring(text.indexOf(END)));
    }
}
