// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

@Tag("smoke")
class DemoCommandTest {

    @Test
    void sanitizedDemoHasNoErrorsAndTellsItsNotesOnce() {
        assertThat(Invocation.of("demo", "--fabric=in-process", "--sanitize")
                        .succeeded()
                        .out()
                        .replaceAll("\\s+", " "))
                .contains("note: S19 key used that is not valid: RDMA_WRITE wr_id=6")
                .doesNotContain("sanitizer: ")
                .endsWith("All steps ended as expected. ");
        assertThat(Invocation.of("demo", "--fabric=tcp", "--face=networkdirect", "--sanitize", "--json")
                        .succeeded()
                        .out())
                .contains("{\"kind\":\"note\",\"mistake\":\"S19\",")
                .endsWith("{\"kind\":\"result\",\"asExpected\":true}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--face=verbs", "--face=networkdirect"})
    void sidesCloseWhatTheyOpened(String face) {
        assertThat(Invocation.of("demo", "--fabric=in-process", "--sanitize", face)
                        .succeeded()
                        .out())
                .doesNotContain("S15");
    }

    @Test
    void errorOfTheSanitizerIsAFailureWithATextAndAPage(@TempDir Path directory) throws IOException {
        Path page = directory.resolve("demo.html");
        Invocation text = mistaken("--html", page.toString());
        assertThat(text.exitCode()).isEqualTo(1);
        assertThat(text.err()).isEqualTo("verbatim: the sanitizer found a mistake; the report says which and where\n");
        assertThat(text.out())
                .contains("sanitizer: S4 ")
                .endsWith("The sanitizer found a mistake.\n")
                .doesNotContain("A step did not end");
        assertThat(Files.readString(page)).contains("\"title\":\"The sanitizer found a mistake.\"");
    }

    @Test
    void errorOfTheSanitizerIsAFailureInJsonToo() throws IOException {
        Invocation json = mistaken("--json");
        assertThat(json.exitCode()).isEqualTo(1);
        for (String line : (json.out() + json.err()).split("\n")) {
            assertThat(JSON.std.mapFrom(line)).containsKey("kind");
        }
        assertThat(json.out())
                .contains("{\"kind\":\"failure\",\"mistake\":\"S4\"")
                .endsWith("{\"kind\":\"result\",\"asExpected\":false}\n");
    }

    /** With a mistake that is there before the demo begins: it makes none itself. */
    private static Invocation mistaken(String... options) {
        Sanitizer sanitizer = Sanitizer.withSites();
        sanitizer.report(Finding.of(Mistake.S4, "", List.of(), "one and another"));
        List<String> arguments = new ArrayList<>(List.of("--fabric=in-process", "--sanitize"));
        arguments.addAll(List.of(options));
        CommandLine command =
                new CommandLine(new DemoCommand(() -> sanitizer)).setExecutionExceptionHandler(new OneLineErrors());
        return Invocation.on(command, arguments.toArray(String[]::new));
    }

    @Test
    void sanitizedDemoNeedsBothDevicesInOneProcess() {
        Invocation.of("demo", "--sanitize").failed(2, "--sanitize needs both devices in this process");
    }

    @Test
    void demoInOneProcessTellsTheWholeStory() throws IOException {
        String told =
                Invocation.of("demo", "--fabric", "in-process").succeeded().out();
        assertThat(told)
                .as("If the change is meant: ./verbatim demo --fabric in-process > the file demo-in-process.txt")
                .isEqualTo(golden("demo-in-process.txt"));
    }

    @Test
    void networkDirectTellsTheWholeStory() throws IOException {
        String told = Invocation.of("demo", "--face", "networkdirect", "--fabric", "in-process")
                .succeeded()
                .out();
        assertThat(told)
                .as("If the change is meant: ./verbatim demo --face networkdirect --fabric in-process"
                        + " > the file demo-networkdirect.txt")
                .isEqualTo(golden("demo-networkdirect.txt"))
                .contains("ACCESS_VIOLATION(0xC0000005)", "CANCELED(0xC0000120)", "[MW-80]")
                .endsWith("All steps ended as expected.\n");
    }

    @Test
    void networkDirectGoesTheSameWayOverTcp() throws IOException {
        String told =
                Invocation.of("demo", "--face", "networkdirect").succeeded().out();
        assertThat(calls(told)).isEqualTo(calls(golden("demo-networkdirect.txt")));
    }

    private static List<String> calls(String told) {
        return told.lines()
                .filter(line -> line.matches("\\d+  .*|.* (calls|gets) .*|  (left|right): .*"))
                .map(line -> line.replaceAll("0x[0-9a-f]+|psn=\\d+|qp \\d+", ""))
                .toList();
    }

    @Test
    void unknownFaceIsRefused() {
        Invocation.of("demo", "--face", "poker").failed(2, "--face=poker", "verbs, networkdirect");
    }

    @Test
    void onATerminalTheStoryIsTheSameInColours() {
        String coloured = Invocation.with(Ansi.ON, "demo", "--fabric", "in-process")
                .succeeded()
                .out();
        String escapes = "\u001b\\[\\d+m";
        assertThat(coloured).containsPattern(escapes);
        assertThat(coloured.replaceAll(escapes, ""))
                .isEqualTo(Invocation.of("demo", "--fabric", "in-process").out());
    }

    @Test
    void jsonHasTheSameStoryForPrograms() throws IOException {
        String told = Invocation.of("demo", "--fabric", "in-process", "--json")
                .succeeded()
                .out();
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String line : told.split("\n")) {
            lines.add(JSON.std.mapFrom(line));
        }
        assertThat(lines.get(lines.size() - 1)).isEqualTo(Map.of("kind", "result", "asExpected", true));
        assertThat(lines).filteredOn(line -> "step".equals(line.get("kind"))).hasSize(13);
        assertThat(lines)
                .filteredOn(line -> "outcome".equals(line.get("kind")))
                .hasSize(24)
                .allSatisfy(outcome -> assertThat(outcome).containsEntry("asExpected", true));
        assertThat(lines)
                .filteredOn(line -> "window".equals(line.get("kind")))
                .extracting(line -> line.get("step"), line -> line.get("side"), line -> line.get("change"))
                .containsExactly(
                        tuple(8, "right", "ALLOCATED"),
                        tuple(8, "right", "BOUND"),
                        tuple(11, "right", "INVALIDATED_BY_PEER"));
        assertThat(explained(lines, 6))
                .containsExactly(
                        tuple("right", Kind.STATE, "KEY-04"),
                        tuple("right", Kind.EVENT, "KEY-04"),
                        tuple("left", Kind.STATE, "WC-45"),
                        tuple("left", Kind.COMPLETED, "WC-45"));
        assertThat(explained(lines, 12))
                .containsExactly(
                        tuple("right", Kind.STATE, "MW-84"),
                        tuple("right", Kind.EVENT, "MW-84"),
                        tuple("left", Kind.STATE, "WC-45"),
                        tuple("left", Kind.COMPLETED, "WC-45"));
    }

    /** What was explained in a step: where, in what, and by which rule. */
    private static List<Tuple> explained(List<Map<String, Object>> lines, int step) {
        return lines.stream()
                .filter(line -> Integer.valueOf(step).equals(line.get("step")) && NarratedEvent.isOne(line))
                .map(NarratedEvent::ofJson)
                .filter(narrated -> narrated.explanation() != null)
                .map(narrated -> tuple(narrated.side(), narrated.kind(), narrated.rule()))
                .toList();
    }

    @Test
    void unknownFabricIsRefused() {
        Invocation.of("demo", "--fabric", "carrier-pigeon").failed(2, "--fabric=carrier-pigeon", "tcp, in-process");
    }

    private static String golden(String name) throws IOException {
        try (InputStream file = DemoCommandTest.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
