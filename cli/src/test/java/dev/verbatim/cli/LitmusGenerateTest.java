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

/** {@code litmus --generate}, and what docs/litmus.md says of it. */
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
        assertThat(Invocation.of("litmus", tests.toString()).succeeded().out()).contains("2 as expected, 0 not");
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
}
