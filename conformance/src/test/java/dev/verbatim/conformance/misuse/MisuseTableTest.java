// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/misuse-table.md has a row for each case, as its file says. {@code -Dverbatim.misuse.table} prints the rows. */
class MisuseTableTest {

    private static final Path DOCUMENT = Path.of("../docs/misuse-table.md");
    private static final String TWIN = "-twin";

    @Test
    void documentHasARowForEachCase() throws IOException {
        List<String> rows =
                Stream.of(gaspi(), verbs(), silent()).flatMap(List::stream).toList();
        if (System.getProperty("verbatim.misuse.table") != null) {
            rows.forEach(System.out::println);
        }

        assertThat(Files.readAllLines(DOCUMENT)).containsAll(rows);
    }

    private static List<String> gaspi() {
        return MisuseCase.of("gaspi").stream()
                .map(each -> "| " + each.name() + " | " + title(each) + " | "
                        + (each.theirs() == null ? "" : each.theirs()) + " | " + each.label() + " | " + each.rule()
                        + " |")
                .toList();
    }

    /** The rules that decide of the program with the mistake, and of its twin. */
    private static List<String> verbs() {
        List<MisuseCase> all = MisuseCase.of("verbs");
        return all.stream()
                .filter(each -> !each.name().endsWith(TWIN))
                .map(each -> "| " + each.name() + " | " + title(each) + " | " + each.rule() + " | "
                        + all.stream()
                                .filter(twin -> twin.name().equals(each.name() + TWIN))
                                .map(twin -> title(twin) + " | " + twin.rule())
                                .collect(Collectors.joining())
                        + " |")
                .toList();
    }

    private static List<String> silent() {
        return MisuseCase.of("silent").stream()
                .map(each -> "| " + each.name() + " | " + title(each) + " | " + each.rule() + " |")
                .toList();
    }

    private static String title(MisuseCase each) {
        String title = each.scenario().title();
        return title.replaceFirst("^GASPI \\w+ \\d+ (twin )?", "");
    }
}
