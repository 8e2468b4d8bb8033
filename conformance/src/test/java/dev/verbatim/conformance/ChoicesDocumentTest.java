// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/choices.md says of each choice point. */
class ChoicesDocumentTest {

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
}
