// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Tries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of counts in docs/internals/testing.md has the count of each {@link Tries}; NetworkDirect's are in a document of their own. */
class CountsTableTest {

    private static final Pattern COUNT =
            Pattern.compile("Tries\\.of\\(\\s*\"(?!nd\\.)([^\"]+)\",\\s*([\\d_]+),\\s*([\\d_]+),\\s*([\\d_]+)\\)");
    private static final Pattern CALL = Pattern.compile("Tries\\.of\\((?!\\s*\"nd\\.)");
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| [^|]+ \\| [^|]+ \\| `verbatim\\.([\\w.-]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");
    private static final String NONE = "none";

    @Test
    void tableHasEachCount() throws IOException {
        Map<String, List<String>> rows = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Sources.PROJECT.resolve("docs/internals/testing.md")));
        while (row.find()) {
            rows.put(row.group(1), List.of(row.group(2), row.group(3), row.group(4)));
        }
        assertThat(counts(rows)).isNotEmpty().isEqualTo(rows);
    }

    /** A test that a build skips may have any count there. */
    private static Map<String, List<String>> counts(Map<String, List<String>> rows) throws IOException {
        Map<String, List<String>> counts = new TreeMap<>();
        for (Path module : modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src/test/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(file);
                    assertThat(CALL.matcher(text).results().count())
                            .as("%s: a count is three numbers behind its name", file)
                            .isEqualTo(COUNT.matcher(text).results().count());
                    Matcher count = COUNT.matcher(text);
                    while (count.find()) {
                        String name = count.group(1);
                        boolean skipped = text.contains("@LongTest")
                                && rows.getOrDefault(name, List.of()).contains(NONE);
                        counts.put(
                                name,
                                List.of(
                                        skipped ? NONE : written(count.group(2)),
                                        written(count.group(3)),
                                        written(count.group(4))));
                    }
                }
            }
        }
        return counts;
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> all = Files.walk(Sources.PROJECT, 2)) {
            return all.filter(path -> Files.isDirectory(path.resolve("src/test/java")))
                    .toList();
        }
    }

    private static String written(String number) {
        return number.replace('_', ',');
    }
}
