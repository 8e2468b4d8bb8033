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
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes of C programs that no device refuses are found, each at its line, and nothing is found in their clean twins. */
class MisusedProgramTest {

    private static final Pattern PLANTED = Pattern.compile("// (S\\d+) (\\w+)$");
    private static final int FAILED = 66;

    /** They end the program, or are of a kind that is told once. */
    private static final List<String> ALONE =
            List.of("event_without_channel", "region_left", "failure_at_end", "event_unread");

    private static final Pattern FIGURES =
            Pattern.compile("\\| mistake \\| programs \\| found \\| twins accused \\|\n\\|[-|]*\\|\n((?:\\|.*\n)+)");

    private static CProgram program;
    private static Outcome together;
    private static Outcome togetherClean;
    private static List<Outcome> alone;

    /** What was told of each case, and of its clean twin. */
    private static Map<String, List<String>> found;

    private static Map<String, List<String>> foundInTwins;

    /** Of each case, the mistake and the line, as findings name it. */
    private static final Map<String, String> MISTAKES = new LinkedHashMap<>();

    private static final Map<String, String> LINES = new HashMap<>();

    @TempDir
    private Path directory;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("misuse.c", "-ldl");
        List<String> source = Files.readAllLines(Path.of("src/test/c/misuse.c"));
        for (int i = 0; i < source.size(); i++) {
            Matcher matcher = PLANTED.matcher(source.get(i));
            if (matcher.find()) {
                MISTAKES.put(matcher.group(2), matcher.group(1));
                LINES.put(matcher.group(2), "src/test/c/misuse.c:" + (i + 1) + " (");
            }
        }
        together = run("fail", "together");
        togetherClean = run("fail", "together", "clean");
        found = findings(together.errors());
        foundInTwins = findings(togetherClean.errors());
        alone = new ArrayList<>();
        for (String name : ALONE) {
            Outcome wrong = run("fail", name);
            found.putAll(findings(wrong.errors()));
            foundInTwins.putAll(findings(run("fail", name, "clean").errors()));
            alone.add(wrong);
        }
    }

    private static Outcome run(String wanted, String... words) throws IOException, InterruptedException {
        Map<String, String> variables = new HashMap<>(Map.of("VERBATIM_SANITIZE", wanted));
        variables.put("LD_PRELOAD", CProgram.library("libverbatim-memory.so"));
        return program.run(variables, words);
    }

    /** The mistakes that were told of each case; what explains failures is not judged here. */
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
        byCase.values().forEach(of -> of.removeIf(block -> !block.matches("(?s)verbatim: (error|note) S\\d+ .*")));
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
    void eachMistakeIsFoundAtItsLineAndNoOtherOne() {
        assertThat(together.status()).as(together.toString()).isEqualTo(FAILED);
        assertThat(found.keySet()).isEqualTo(MISTAKES.keySet());
        found.forEach((name, blocks) -> {
            if (!ALONE.contains(name)) {
                requireMistake(name, blocks);
            }
        });
    }

    @Test
    void nothingIsFoundInCleanTwins() {
        assertThat(togetherClean.status()).as(togetherClean.toString()).isZero();
        assertThat(foundInTwins.keySet()).isEqualTo(MISTAKES.keySet());
        assertThat(foundInTwins)
                .allSatisfy((name, blocks) -> assertThat(blocks).as(name).isEmpty());
    }

    @Test
    void noteAtTheEndIsToldAndIsNoFailure() {
        for (String name : ALONE) {
            assertThat(found.get(name))
                    .as(name)
                    .anySatisfy(block -> assertThat(block).startsWith("verbatim: note " + MISTAKES.get(name) + " "));
        }
        assertThat(alone).allSatisfy(outcome -> assertThat(outcome.status()).isNotEqualTo(FAILED));
    }

    @Test
    void tableOfFiguresIsTrue() throws IOException {
        StringBuilder rows = new StringBuilder();
        Comparator<String> byNumber = Comparator.comparingInt(mistake -> Integer.parseInt(mistake.substring(1)));
        Stream.concat(MISTAKES.values().stream().distinct().sorted(byNumber), Stream.of("all"))
                .forEach(mistake -> {
                    List<String> names = MISTAKES.keySet().stream()
                            .filter(name ->
                                    mistake.equals("all") || MISTAKES.get(name).equals(mistake))
                            .toList();
                    long seen = names.stream()
                            .filter(name -> found.get(name).stream()
                                    .anyMatch(block -> block.contains(" " + MISTAKES.get(name) + " ")))
                            .count();
                    long accused = names.stream()
                            .filter(name -> !foundInTwins.get(name).isEmpty())
                            .count();
                    rows.append("| ")
                            .append(mistake)
                            .append(String.format(" | %d | %d | %d |\n", names.size(), seen, accused));
                });
        Path page = Path.of("../../docs/misuse-table.md");
        String text = Files.readString(page);
        Matcher table = FIGURES.matcher(text);
        assertThat(table.find()).isTrue();
        if (Boolean.getBoolean("verbatim.update")) {
            Files.writeString(page, new StringBuilder(text).replace(table.start(1), table.end(1), rows.toString()));
        } else {
            assertThat(table.group(1))
                    .as("%s; write it anew with -Dverbatim.update=true", page)
                    .isEqualTo(rows.toString());
        }
    }

    @Test
    void notesComeOnceWithACountAndAreSilencedWithAReason() throws IOException, InterruptedException {
        Map<String, String> variables = Map.of(
                "VERBATIM_SANITIZE",
                "fail",
                "VERBATIM_SILENCE",
                "S16:misuse=nobody waits for it\nS15:libother.so=it leaves that to exit");
        assertThat(program.run(variables, "event_without_channel").errors())
                .doesNotContain("S16 ambiguous")
                .contains("verbatim: silenced S16 of misuse, found 1 time: nobody waits for it\n");
        assertThat(program.run(variables, "region_left").errors())
                .containsOnlyOnce("verbatim: note S15 object left open\n")
                .containsPattern(
                        "verbatim: [4-9] more: note S15 object left open, at src/test/c/misuse\\.c:\\d+ \\(.*; .*\n")
                .contains("verbatim: silenced S15 of libother.so, found 0 times: it leaves that to exit\n");
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
