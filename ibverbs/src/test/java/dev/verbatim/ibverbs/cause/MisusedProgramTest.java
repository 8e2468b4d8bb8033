// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram;
import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes of C programs that no device refuses are found, each at its line, and nothing is found in their clean twins. */
class MisusedProgramTest {

    private static final Pattern PLANTED = Pattern.compile("// (S\\d+) (\\w+)$");
    private static final int FAILED = 66;

    private static CProgram program;

    /** Of each case, the mistake and the line, as findings name it. */
    private static final Map<String, String> MISTAKES = new LinkedHashMap<>();

    private static final Map<String, String> LINES = new HashMap<>();

    @TempDir
    private Path directory;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("misuse.c");
        List<String> source = Files.readAllLines(Path.of("src/test/c/misuse.c"));
        for (int i = 0; i < source.size(); i++) {
            Matcher matcher = PLANTED.matcher(source.get(i));
            if (matcher.find()) {
                MISTAKES.put(matcher.group(2), matcher.group(1));
                LINES.put(matcher.group(2), "src/test/c/misuse.c:" + (i + 1) + " (");
            }
        }
    }

    private static Outcome run(String wanted, String... words) throws IOException, InterruptedException {
        Map<String, String> variables = new HashMap<>(Map.of("VERBATIM_SANITIZE", wanted));
        variables.put("LD_PRELOAD", CProgram.library("libverbatim-memory.so"));
        return program.run(variables, words);
    }

    /** The blocks that were told of each case. */
    private static Map<String, List<String>> findings(String errors) {
        Map<String, List<String>> byCase = new LinkedHashMap<>();
        List<String> blocks = new ArrayList<>();
        for (String line : errors.lines().toList()) {
            if (line.startsWith("case ")) {
                blocks = new ArrayList<>();
                byCase.put(line.substring("case ".length()), blocks);
            } else if (line.startsWith("    ") && !blocks.isEmpty()) {
                blocks.set(blocks.size() - 1, blocks.get(blocks.size() - 1) + "\n" + line);
            } else {
                blocks.add(line);
            }
        }
        return byCase;
    }

    private static void requireMistake(String name, List<String> blocks) {
        String mistake = MISTAKES.get(name);
        assertThat(mistake).as("a planted line of " + name).isNotNull();
        assertThat(blocks)
                .as(name)
                .anySatisfy(block -> assertThat(block)
                        .containsPattern("^verbatim: (error|note) " + mistake + " ")
                        .contains(LINES.get(name))
                        .containsPattern(
                                "\n    what    .* \\[[A-Z]+-\\w+]\n    at      .*\n(    and     .*\n)*    change  "));
        // A message that found no receive is told of twice: that the receive came late, and how often it was missed.
        String other = mistake.equals("S18") ? "S11" : mistake;
        assertThat(blocks)
                .as(name)
                .allSatisfy(
                        block -> assertThat(block).containsPattern("^verbatim: \\w+ (" + mistake + "|" + other + ") "));
    }

    @Test
    void eachMistakeIsFoundAtItsLineAndNoOtherOne() throws IOException, InterruptedException {
        Outcome outcome = run("fail", "together");

        assertThat(outcome.status()).as(outcome.toString()).isEqualTo(FAILED);
        Map<String, List<String>> found = findings(outcome.errors());
        assertThat(found).hasSizeGreaterThanOrEqualTo(35);
        found.forEach(MisusedProgramTest::requireMistake);
    }

    @Test
    void nothingIsFoundInCleanTwins() throws IOException, InterruptedException {
        Outcome outcome = run("fail", "together", "clean");

        assertThat(outcome.status()).as(outcome.toString()).isZero();
        assertThat(findings(outcome.errors()))
                .hasSizeGreaterThanOrEqualTo(35)
                .allSatisfy((name, blocks) -> assertThat(blocks).as(name).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"region_left", "failure_at_end", "event_unread"})
    void noteAtTheEndIsToldAndIsNoFailure(String name) throws IOException, InterruptedException {
        Outcome outcome = run("fail", name);
        assertThat(findings(outcome.errors()).get(name))
                .as(name)
                .anySatisfy(block -> assertThat(block).startsWith("verbatim: note " + MISTAKES.get(name) + " "));
        assertThat(outcome.status()).isNotEqualTo(FAILED);
        assertThat(findings(run("fail", name, "clean").errors()).get(name))
                .as(name + " clean")
                .isEmpty();
    }

    @Test
    void fileHasLinesOfJson() throws IOException, InterruptedException {
        Path file = directory.resolve("found.jsonl");
        Outcome outcome =
                program.run(Map.of("VERBATIM_SANITIZE", "yes", "VERBATIM_EXPLAIN", file.toString()), "two_writers");

        assertThat(outcome.errors()).isEqualTo("case two_writers\n");
        assertThat(outcome.status()).isZero();
        assertThat(Files.readAllLines(file))
                .singleElement()
                .asString()
                .startsWith(
                        "{\"kind\":\"mistake\",\"text\":\"error S4 accesses that nothing orders\",\"mistake\":\"S4\",\"error\":true,")
                .contains("\"places\":[\"src/test/c/misuse.c:");
    }
}
