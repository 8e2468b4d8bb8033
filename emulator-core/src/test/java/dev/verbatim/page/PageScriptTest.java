// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.NodeTests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page's script: its own tests, where there is a Node to run them, and what its files may do. */
class PageScriptTest {

    private static final Path TESTS = Path.of("src/test/page");
    private static final Pattern IMPORT = Pattern.compile("^import \\{ [^}]+ } from '\\./([a-z]+\\.mjs)';$");
    private static final Pattern DECLARATION = Pattern.compile("^(?:export )?(?:function|class|const|let) (\\w+)");

    @Test
    void itsOwnTestsPass() throws IOException, InterruptedException {
        NodeTests.assertPass(TESTS);
    }

    @Test
    void eachFileImportsOnlyThoseBeforeIt() throws IOException {
        List<String> before = new ArrayList<>();
        for (String file : PageTemplate.SCRIPTS) {
            for (String line : lines(file)) {
                if (line.startsWith("import")) {
                    Matcher matcher = IMPORT.matcher(line);
                    assertThat(matcher.matches()).as(file + ": " + line).isTrue();
                    assertThat(before).as(file).contains(matcher.group(1));
                }
            }
            before.add(file);
        }
    }

    @Test
    void noNameIsDeclaredTwice() throws IOException {
        Map<String, String> declared = new TreeMap<>();
        for (String file : PageTemplate.SCRIPTS) {
            for (String line : lines(file)) {
                Matcher matcher = DECLARATION.matcher(line);
                if (matcher.find()) {
                    assertThat(declared.put(matcher.group(1), file))
                            .as(matcher.group(1) + " in " + file)
                            .isNull();
                }
            }
        }
        assertThat(declared).hasSizeGreaterThan(80);
    }

    @Test
    void everyFileIsInThePage() throws IOException {
        Path source = Path.of("src/main/resources/dev/verbatim/page");
        try (var files = Files.list(source)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".mjs")))
                    .containsExactlyInAnyOrderElementsOf(PageTemplate.SCRIPTS);
        }
    }

    private static List<String> lines(String file) throws IOException {
        try (InputStream stream = PageTemplate.class.getResourceAsStream(file)) {
            assertThat(stream).as(file).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
