// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.output.Output;
import dev.verbatim.page.RunRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who has never seen RDMA finds the answers to five questions on the demo's page. */
class DemoCaptionsTest {

    @Test
    void captionsAnswerTheQuestions() throws IOException {
        RunRecorder run = new RunRecorder();
        DemoReport report = new DrawnReport(
                run,
                new PrintedReport(
                        new Output(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()), true),
                        true));
        DemoRun.inProcess(DemoScript.steps(), run, null, report);
        String page = DemoCaptions.ABOUT + String.join("\n", run.lines());
        List<String> questions = questions();
        assertThat(questions).hasSize(5);
        for (String line : questions) {
            String[] parts = line.split("\t");
            assertThat(parts[0]).endsWith("?");
            assertThat(page).as(parts[0]).contains(parts[1].split(" [|] "));
        }
    }

    @Test
    void everyStepOfTheScriptHasACaptionAndOthersHaveNone() {
        assertThat(DemoScript.steps())
                .allSatisfy(step -> assertThat(DemoCaptions.of(step)).hasSizeGreaterThan(40));
        DemoStep first = DemoScript.steps().get(0);
        DemoStep other =
                new DemoStep(first.number(), "left", "Connect", "", null, false, first.status(), null, List.of());
        assertThat(DemoCaptions.of(other)).isEmpty();
    }

    private static List<String> questions() throws IOException {
        try (InputStream stream = DemoCaptionsTest.class.getResourceAsStream("demo-questions.tsv")) {
            assertThat(stream).isNotNull();
            return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                    .lines()
                    .toList();
        }
    }
}
