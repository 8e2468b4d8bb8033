// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.conformance.scenario.ShippedScenarios;
import dev.verbatim.conformance.scenario.run.FabricKind;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** The command {@code run}. */
class RunCommandTest {

    private static final String FAILING = """
            title: One write
            nodes:
              a:
                program:
                  - write: {x: 1}
                  - completion: REM_ACCESS_ERR
              b: {words: {x: 0}}
            allowed: [{x: 2}]
            """;

    @TempDir
    private Path folder;

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @Test
    void singleShippedScenarioIsToldAsAStory() {
        assertThat(Invocation.of("run", "LT-01").succeeded().out())
                .startsWith("LT-01 A READ behind a WRITE returns what was written\n")
                .contains("posts      RDMA_WRITE", "RDMA_READ_REQUEST", "completes  RDMA_READ")
                .endsWith("\nok  LT-01 A READ behind a WRITE returns what was written: r=1\n")
                .doesNotContain("RESET");
    }

    /** The store buffer of a thread is drained by no line of the file, and by none of the command either. */
    @Test
    void whatNoLineOfTheFileDidHasNoPlace() {
        String out = Invocation.of("run", "--sanitize", "TSO-remote-SB").out();

        assertThat(out).contains("program store buffer of b stored to ").doesNotContain(".java:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sim", "in-process", "tcp"})
    @LongTest
    void directoryIsRunFileByFile(String fabric) {
        String out = Invocation.of("run", "--fabric", fabric, "../conformance/src/main/resources/scenarios")
                .succeeded()
                .out();
        int all = ShippedFiles.all().size();
        ScenarioRun run = ScenarioRun.on(
                FabricKind.valueOf(fabric.toUpperCase(Locale.ROOT).replace('-', '_')));
        int skipped = (int) ShippedFiles.all().stream()
                .filter(file -> run.obstacle(ScenarioReader.read(file).scenario()) != null)
                .count();
        assertThat(out.lines().filter(line -> line.startsWith("ok  "))).hasSize(all - skipped);
        assertThat(out).endsWith("\n" + (all - skipped) + " as expected, 0 not, " + skipped + " skipped\n");
    }

    @Test
    void failedExpectationNamesItsLineAndExitsWithOne() throws IOException {
        String file = file("failing.yaml", FAILING);
        Invocation run = Invocation.of("run", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "NOT AS EXPECTED: One write: x=1",
                        file + ":6: node a, step 2 {completion: REM_ACCESS_ERR}: status=SUCCESS, not REM_ACCESS_ERR.");
    }

    @Test
    void outcomeThatIsNotAllowedIsAFailure() throws IOException {
        String file = file("outcome.yaml", FAILING.replace("      - completion: REM_ACCESS_ERR\n", ""));
        Invocation run = Invocation.of("run", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains(file + ":7: the outcome: x=1 is not allowed; allowed: x=2");
    }

    @Test
    void forbiddenOutcomeIsAFailureThatQuotesTheRule() throws IOException {
        String file = file(
                "forbidden.yaml",
                FAILING.replace("      - completion: REM_ACCESS_ERR\n", "")
                        .replace("allowed: [{x: 2}]", "forbidden: [{outcome: {x: 1}, rule: ORD-11}]"));
        Invocation run = Invocation.of("run", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("x=1 is forbidden by ORD-11: ");
    }

    @Test
    void programThatWaitsForEverIsGivenUpAndSaysForWhat() throws IOException {
        String file = file("stuck.yaml", FAILING.replace("completion: REM_ACCESS_ERR", "event: QP_FATAL"));
        Invocation run = Invocation.of("run", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains(":6: node a, step 2 {event: QP_FATAL}: it waits here, and nothing happens any more");
    }

    @Test
    void badFileIsExplainedAndExitsWithTwo() throws IOException {
        String file = file("bad.yaml", FAILING.replace("write:", "wirte:").replace("words:", "wrods:"));
        Invocation run = Invocation.of("run", file);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .containsExactly(
                        "verbatim: " + file + ":5:9: nodes.a.program[0]: wirte is no step; did you mean write?",
                        "verbatim: " + file + ":7:7: nodes.b: wrods is not a key of a node; did you mean words?");
    }

    /** What is no scenario among others is said, and the others run. */
    @Test
    void fileThatIsNoScenarioKeepsNoOtherFromBeingRun() throws IOException {
        Files.writeString(folder.resolve("broken.yaml"), "title: [");
        Files.writeString(folder.resolve("good.yaml"), ShippedScenarios.text("LT-02"));

        for (String command : List.of("run", "litmus")) {
            Invocation invocation = Invocation.of(command, folder.toString());
            assertThat(invocation.exitCode()).as(command).isEqualTo(2);
            assertThat(invocation.err()).contains("broken.yaml").hasLineCount(1);
            assertThat(invocation.out()).contains("LT-02");
        }
    }

    @Test
    void nameOfNothingExitsWithTwo() {
        Invocation.of("run", "LT-99")
                .failed(2, "LT-99 is neither a file nor the name of a shipped scenario", "did you mean LT-0");
        Invocation.of("run", "some/where").failed(2, "some/where is neither", "see docs/scenarios.md");
        Invocation.of("run", "--fabric", "ether", "LT-01")
                .failed(2, "--fabric=ether is not one of in-process, sim, tcp");
        Invocation.of("run", "--profile", "FAST", "LT-01").failed(2, "--profile=FAST is not one of STRICT_IBTA");
        Invocation.of("run", "--fabric", "tcp", "--seed", "1", "LT-01").failed(2, "--seed=1 has no effect");
    }

    @Test
    void directoryOfTooManyFilesIsNotReadToItsEnd() throws IOException {
        Path many = Files.createDirectories(folder.resolve("many"));
        List<Path> files = new ArrayList<>();
        for (String name : List.of("a.yaml", "b.yaml", "c.yaml")) {
            files.add(Files.writeString(many.resolve(name), "title: " + name));
        }
        assertThat(ScenarioArguments.below(many, 4)).isEqualTo(files);
        assertThatThrownBy(() -> ScenarioArguments.below(many, 3))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(many + " has more than 3 files and directories in and below it; name the directories that"
                        + " hold the scenarios");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fileWithoutAnEndIsNotReadToItsEnd() {
        Invocation.of("run", "/dev/zero").failed(2, "/dev/zero:1:1: it has more than 4194304 bytes; see that it is");
    }

    @Test
    void longReadingSaysHowFarItIs() throws IOException {
        String first = file("first.yaml", FAILING);
        String second = file("second.yaml", FAILING);
        AtomicLong nanos = new AtomicLong();
        String[] args = {"run", first, second};
        Invocation run = Invocation.on(
                Main.commandLine(() -> nanos.getAndAdd(6_000_000_000L), args)
                        .setColorScheme(Help.defaultColorScheme(Ansi.OFF)),
                args);
        assertThat(run.err().lines())
                .containsExactly(
                        "verbatim: 0 scenarios read, next is " + first,
                        "verbatim: 1 scenarios read, next is " + second);
    }

    @Test
    void choicesThatDoNotFitAnyMoreAreSaidToBeStale() {
        Invocation.of("run", "--choices", "0:read-fetch=1/9", "LT-01")
                .failed(1, "verbatim: the recorded choices do not match the run: choice 0 was recorded as ");
    }

    @Test
    void shippedScenariosAndProfilesAreFoundInAnyCase() {
        assertThat(Invocation.of("run", "--profile", "Strict_ibta", "lt-18-POLLED", "Acknowledged")
                        .succeeded()
                        .out())
                .contains("2 as expected, 0 not");
    }

    @Test
    void everyShippedFileHasItsName() {
        assertThat(ShippedScenarios.names())
                .containsExactlyInAnyOrderElementsOf(ShippedFiles.all().stream()
                        .map(file -> file.getFileName().toString().replace(".yaml", ""))
                        .toList());
    }

    @Test
    void programsGetWhatIsWrongAsJsonOnStandardError() throws IOException {
        String file = file("bad.yaml", FAILING.replace("write:", "wirte:"));
        Invocation bad = Invocation.of("run", "--json", file);

        assertThat(bad.exitCode()).isEqualTo(2);
        assertThat(bad.out()).isEmpty();
        assertThat(JSON.std.mapFrom(bad.err()))
                .containsEntry("kind", "error")
                .extractingByKey("text")
                .asString()
                .startsWith(file + ":5:9: ");
    }

    @Test
    void sameSeedTellsTheSameStory() {
        String first = Invocation.of("run", "--seed", "7", "LT-20").succeeded().out();
        assertThat(Invocation.of("run", "--seed", "7", "LT-20").succeeded().out())
                .isEqualTo(first);
    }

    @Test
    void everyLineOfJsonIsAnObjectWithItsKind() throws IOException {
        String file = file("failing.yaml", FAILING);
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String line :
                Invocation.of("run", "--json", file, "TR-6").out().lines().toList()) {
            lines.add(JSON.std.mapFrom(line));
        }
        assertThat(lines)
                .extracting(line -> line.get("kind"))
                .containsExactly("scenario", "failure", "outcome", "scenario", "outcome", "result");
        assertThat(lines.get(1)).containsEntry("line", 6).containsEntry("node", "a");
        assertThat(lines.get(4)).containsEntry("values", Map.of("r", "0", "x", "1"));
        assertThat(lines.get(5))
                .containsEntry("good", 1)
                .containsEntry("bad", 1)
                .containsEntry("asExpected", false);
    }

    @Test
    void traceAndCaptureAreWritten() throws IOException {
        Path trace = folder.resolve("trace.txt");
        Path capture = folder.resolve("capture.pcapng");
        Invocation.of("run", "--trace", trace.toString(), "--capture", capture.toString(), "LT-01")
                .succeeded();
        assertThat(trace).content().contains("RDMA_READ_REQUEST");
        assertThat(capture).isNotEmptyFile();
    }
}
