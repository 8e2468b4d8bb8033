// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.verbs.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/choices.md says of each choice point. */
class ChoicesDocumentTest {

    private static final Pattern FREEDOM = Pattern.compile("\\| N\\d+ ");

    @Test
    void tableNamesEachPointWithItsKindAndItsRules() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "choices.md"))) {
            if (line.startsWith("| `")) {
                rows.add(line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1));
            }
        }
        assertThat(rows)
                .containsExactlyElementsOf(Stream.of(ChoicePoint.values())
                        .map(point -> String.format(
                                Locale.ROOT,
                                "| `%s` | %s | %s |",
                                point.label(),
                                point.kind().name().toLowerCase(Locale.ROOT),
                                String.join(", ", point.rules())))
                        .toList());
    }

    /** Each freedom of the catalogue has its row: the points that its number permits, and programs that show it. */
    @Test
    void tableOfFreedomsNamesThePointsOfEachAndTheirPrograms() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "choices.md"))) {
            if (FREEDOM.matcher(line).lookingAt()) {
                String[] cells = line.split(" *\\| *");
                rows.put(cells[1].substring(0, cells[1].indexOf(' ')), cells[2]);
                assertProgramsShow(cells[1].substring(0, cells[1].indexOf(' ')), cells[3]);
            }
        }
        Map<String, String> points = new LinkedHashMap<>();
        for (Rule rule : Rule.catalogue()) {
            if (rule.section().equals("F.4")) {
                points.put(
                        rule.id(),
                        Stream.of(ChoicePoint.values())
                                .filter(point -> point.rules().contains(rule.id()))
                                .map(point -> "`" + point.label() + "`")
                                .collect(Collectors.joining(", ")));
            }
        }
        assertThat(rows).isEqualTo(points);
        assertThat(rows.keySet()).containsExactlyElementsOf(points.keySet());
    }

    /** They are shipped litmus programs that name the freedom, or those of {@code ChoicePointLitmusTest}, which has one of each point. */
    private static void assertProgramsShow(String freedom, String programs) throws IOException {
        if (programs.equals("Java")) {
            return;
        }
        for (String program : programs.split(", ")) {
            Path file = Path.of("src", "main", "resources", "scenarios", "litmus", program + ".yaml");
            assertThat(Files.readString(file)).as(program).containsPattern("rules: \\[.*\\b" + freedom + "\\b.*\\]");
        }
    }
}
