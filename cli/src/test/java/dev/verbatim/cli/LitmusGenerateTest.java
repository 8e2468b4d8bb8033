// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code litmus --generate}, {@code --herd} and {@code --markdown}, and what docs/litmus.md says of them. */
class LitmusGenerateTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "litmus.md");

    @TempDir
    private Path folder;

    @Test
    void testOfTheDocumentIsWhatIsPrinted() throws IOException {
        String text = Files.readString(DOCUMENT);
        String block = text.substring(text.indexOf("```yaml\n") + 8);
        String file = block.substring(0, block.indexOf("```"));
        String name = file.substring("title: ".length(), file.indexOf(" is "));

        assertThat(Invocation.of("litmus", "--generate", name).succeeded().out())
                .isEqualTo("# " + name + ".yaml\n" + file + "\n");
    }

    @Test
    void filesThatAreWrittenAreGoodScenarios() throws IOException {
        Path tests = folder.resolve("tests");

        assertThat(Invocation.of(
                                "litmus",
                                "--generate",
                                "SB",
                                "--accesses",
                                "put,load",
                                "--out",
                                tests.toString(),
                                "2+2W+put-put+put-put")
                        .succeeded()
                        .out())
                .matches(Pattern.compile("SB\\+put-load\\+put-load\\.yaml  permitted, 4 outcomes in \\d+ executions\n"
                        + "2\\+2W\\+put-put\\+put-put\\.yaml  forbidden by ORD-11, 3 outcomes in \\d+ executions\n"));
        try (Stream<Path> files = Files.list(tests)) {
            assertThat(files).hasSize(2);
        }
        assertThat(Invocation.of("litmus", tests.toString()).out()).contains("2 as expected, 0 not");
    }

    @Test
    void jsonHasTheOutcomesAndTheText() throws IOException {
        Map<String, Object> line = JSON.std.mapFrom(
                Invocation.of("litmus", "--json", "--generate", "Rfe PosRR Fre", "--several-qps", "--accesses", "rmw")
                        .succeeded()
                        .out());

        assertThat(line)
                .containsEntry("kind", "generated")
                .containsEntry("file", "Rfe.PosRR.Fre+rmw+rmw-rmw+qps.yaml")
                .containsEntry("cycle", "Rfe PosRR Fre")
                .containsEntry("condition", Map.of("r0", "1", "r1", "0"))
                .containsEntry("permitted", true)
                .containsEntry("rules", List.of());
        assertThat((List<?>) line.get("outcomes")).hasSize(4);
        assertThat((String) line.get("text")).startsWith("title: Rfe.PosRR.Fre+rmw+rmw-rmw+qps is permitted\n");
    }

    @Test
    void mistakesAreRefusedWithTheNearestWord() {
        Invocation.of("litmus", "--generate", "IRIX").failed(2, "shape \"IRIX\" is unknown; did you mean IRIW?");
        Invocation.of("litmus", "--generate", "MP", "--accesses", "get,putt").failed(2, "did you mean put?");
        Invocation.of("litmus", "--generate", "MP", "--between", "fens").failed(2, "did you mean fence?");
        Invocation.of(
                        "litmus",
                        "--generate",
                        "MP",
                        "--out",
                        folder.resolve("f/g").toString(),
                        "MP+put+get")
                .failed(2, "has less than 2 accesses");
        Invocation.of("litmus", "--out", "x", "LT-01").failed(2, "--out is for --generate");
    }

    @Test
    void directoryThatCannotBeWrittenIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        Invocation.of("litmus", "--generate", "CoWW", "--accesses", "put", "--out", file.toString())
                .failed(1, "cannot write to " + file);
    }

    @Test
    void summaryOfTheDocumentIsWhatIsPrinted() throws IOException {
        String text = Files.readString(DOCUMENT);
        String summary = text.substring(text.indexOf("```text\n") + 8);
        Path tests = folder.resolve("tests");
        String name = "MP+put-put+load-load";
        Invocation.of("litmus", "--generate", name, "--out", tests.toString()).succeeded();

        assertThat(Invocation.of(
                                "litmus",
                                "--herd",
                                "--exists",
                                "r0=1,r1=0",
                                tests.resolve(name + ".yaml").toString())
                        .out()
                        .replaceAll("Time .*", ""))
                .isEqualTo(summary.substring(0, summary.indexOf("```")).replaceAll("Time .*", "") + "\n");
    }

    @Test
    void conditionIsWhatTheFileSays() throws IOException {
        assertThat(Invocation.of("litmus", "--herd", "LT-01", "LT-02", "LT-11").out())
                .containsSubsequence(
                        "Test LT-01 Forbidden\nStates 1\n",
                        " :>r=1;\nOk\nWitnesses\nPositive: 0 Negative: ",
                        "Condition ~exists (r=0)\nObservation LT-01 Never 0 ",
                        "Time LT-01 ",
                        "Test LT-02 Required\nStates 2\n",
                        "Condition forall ((r=0 \\/ r=1))\nObservation LT-02 Always ",
                        "Condition ~exists (first=1 /\\ second=0)\n")
                .doesNotContain("as expected");
        assertThat(Invocation.of("litmus", "--herd", "--exists", "r=5", "LT-02").out())
                .containsSubsequence("Test LT-02 Allowed", "No\n", "Observation LT-02 Never 0 ");
        assertThat(Invocation.of("litmus", "--herd", "--executions", "1", "LT-22")
                        .out())
                .contains("\nIncomplete LT-22 ");
        Invocation.of("litmus", "--exists", "r=0", "LT-02").failed(2, "--exists is for --herd");
        assertThat(Invocation.of("litmus", "--herd", "--json", "LT-02").err()).contains("--herd is not for --json");
    }

    @Test
    void reportHasATableAndASectionForEachFile() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), """
                title: A wrong one
                nodes:
                  a: {program: [write: {x: 1}]}
                  b: {words: {x: 0}}
                allowed: [{x: 2}]
                """);
        Path report = folder.resolve("report.md");

        assertThat(Invocation.of(
                                "litmus",
                                "--robust",
                                "--markdown",
                                report.toString(),
                                "LT-02",
                                "LT-01",
                                wrong.toString())
                        .exitCode())
                .isEqualTo(1);
        assertThat(Files.readString(report))
                .containsSubsequence(
                        "# Explored scenarios\n\n3 files, 2 as expected, 1 not; ",
                        "| [LT-02.yaml](#file-1) | LT-02 A WRITE behind a READ may overtake its fetch | as expected | 2 | ",
                        "](#file-3) | A wrong one | **not as expected** | 1 | ",
                        "<a id=\"file-1\"></a>\n\n## LT-02 ",
                        "| r=0 | allowed | ",
                        " | `run LT-02 --choices canonical` |",
                        "Not robust:\n- r=1 by read-fetch, or arrival\n",
                        "| r=0 | never, by ORD-11 | 0 | |",
                        "Robust.\n",
                        "| x=1 | **NOT allowed** | ",
                        "| x=2 | allowed, but does not occur | 0 | |");
        assertThat(Invocation.of("litmus", "--markdown", folder.toString(), "LT-01")
                        .err())
                .startsWith("verbatim: cannot write to " + folder);
    }
}
