// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command {@code litmus}. */
class LitmusCommandTest {

    private static final String READ_THEN_WRITE = """
            title: A WRITE behind a READ
            nodes:
              a:
                words: {r: -1}
                program:
                  - read: {x: r}
                  - write: {x: 1}
              b: {words: {x: 0}}
            """;

    @TempDir
    private Path folder;

    private String file(String content) throws IOException {
        return Files.writeString(folder.resolve("f.yaml"), content).toString();
    }

    @Test
    void everyOutcomeIsShownWithAnExecution() {
        assertThat(Invocation.of("litmus", "LT-02").succeeded().out())
                .contains(
                        "  r=0  allowed, ",
                        "    replay: run LT-02 --choices canonical",
                        "  r=1  allowed, ",
                        "    replay: run LT-02 --choices 2:read-fetch=1/2,3:read-fetch=1/2",
                        "memory     reads 8 B at x",
                        "  complete: 2 outcomes in ",
                        "  what was explored: every run with points on:\n    program-step,request,");
    }

    @Test
    void filesExploredAtTheSameTimeArePrintedInTheirOrder() {
        String one = withoutTimes(Invocation.of("litmus", "LT-22", "LT-01", "LT-18-polled", "LT-02", "--threads", "1")
                .succeeded()
                .out());
        String several =
                withoutTimes(Invocation.of("litmus", "LT-22", "LT-01", "LT-18-polled", "LT-02", "--threads", "4")
                        .succeeded()
                        .out());

        assertThat(several).isEqualTo(one).containsSubsequence("LT-22 ", "LT-01 ", "LT-18 ", "LT-02 ");
        assertThat(Invocation.of("litmus", "LT-02", "--threads", "0").err()).contains("--threads=0 is not in 1..");
    }

    @Test
    void fileExploredBySeveralThreadsIsPrintedAsByOne() {
        for (String[] how : new String[][] {{}, {"--json"}, {"--herd"}, {"--sanitize"}}) {
            assertThat(withoutTimes(byThreads("4", how))).isEqualTo(withoutTimes(byThreads("1", how)));
        }
    }

    private static String byThreads(String threads, String... how) {
        List<String> arguments = new ArrayList<>(List.of("litmus", "N5", "--threads", threads));
        arguments.addAll(List.of(how));
        return Invocation.of(arguments.toArray(String[]::new)).out();
    }

    private static String withoutTimes(String text) {
        return text.replaceAll("[0-9.]+ s\\b|Time N5 [0-9.]+", "").replaceAll("\"timeNanos\":[0-9]+", "");
    }

    @Test
    void documentShowsWhatIsPrinted() throws IOException {
        String document = Files.readString(
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../docs/sanitizer.md"));
        String shown = document.substring(document.indexOf("  LT-11.yaml:12: sanitizer"));
        String printed = Invocation.of("litmus", "LT-11", "--sanitize").out();
        assertThat(shown.substring(0, shown.indexOf("```")).lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(printed)
                        .contains(line.replaceFirst(" at \\.\\.\\.$", " at ") + (line.endsWith("...") ? "" : "\n")));
    }

    @Test
    void eachFindingIsToldOnceWithAnOutcomeAndARunThatHasIt() {
        Invocation litmus = Invocation.of("litmus", "LT-11", "--sanitize");
        assertThat(litmus.exitCode()).isEqualTo(1);
        assertThat(litmus.out()).containsOnlyOnce("RDMA_READ wr_id=1 of qp 17 of a posted at nodes.a.program[0] reads");
        String[] lines = litmus.out().split("\n");
        int finding = 0;
        while (!lines[finding].contains("sanitizer: S4") || !lines[finding].contains("RDMA_READ wr_id=1")) {
            finding++;
        }
        assertThat(lines[finding]).startsWith("  LT-11.yaml:12: sanitizer: S4 accesses that nothing orders: ");
        String seen = lines[finding + 1];
        assertThat(seen).startsWith("    seen with first=0 second=1; replay: run LT-11 --sanitize --choices ");

        Invocation replay = Invocation.of(seen.substring(seen.indexOf("run ")).split(" "));
        assertThat(replay.exitCode()).isEqualTo(1);
        assertThat(replay.out()).contains("first=0 second=1\n").contains(lines[finding]);
    }

    @Test
    void outcomesOfSanitizedExecutionsAreThoseOfTheOthers() throws IOException {
        Map<String, Object> plain = JSON.std.mapFrom(
                Invocation.of("litmus", "LT-11", "--json").succeeded().out().split("\n")[0]);
        List<Map<String, Object>> sanitized = new ArrayList<>();
        for (String line :
                Invocation.of("litmus", "LT-11", "--json", "--sanitize").out().split("\n")) {
            sanitized.add(JSON.std.mapFrom(line));
        }
        assertThat(sanitized.get(0).get("outcomes")).isEqualTo(plain.get("outcomes"));
        assertThat(sanitized.get(0)).containsEntry("asExpected", false);
        assertThat(sanitized.subList(1, 3))
                .allSatisfy(line -> assertThat(line)
                        .containsEntry("kind", "failure")
                        .containsEntry("step", "sanitizer")
                        .containsKeys("values", "choices"));
        assertThat(sanitized.get(3)).containsEntry("kind", "result").containsEntry("bad", 1);
    }

    @Test
    void programWithoutAMistakeIsGoodWithASanitizerToo() {
        assertThat(Invocation.of("litmus", "LT-01", "--sanitize").succeeded().out())
                .contains("complete: ")
                .doesNotContain("seen with");
    }

    @Test
    void choicesThatArePrintedShowTheirOutcomeAgain() {
        assertThat(Invocation.of("run", "LT-02", "--choices", "2:read-fetch=1/2,3:read-fetch=1/2")
                        .succeeded()
                        .out())
                .endsWith("\nok  LT-02 A WRITE behind a READ may overtake its fetch: r=1\n");
    }

    @Test
    void whatIsForbiddenAndNeverSeenIsGivenWithItsRule() {
        assertThat(Invocation.of("litmus", "LT-01").succeeded().out())
                .contains("  r=0  never, by ORD-11: A request behind a SEND, WRITE or atomic");
    }

    @Test
    void outcomeThatIsNotAllowedExitsWithOneAndIsShown() throws IOException {
        Invocation litmus = Invocation.of("litmus", file(READ_THEN_WRITE + "allowed: [{r: 0}]\n"));
        assertThat(litmus.exitCode()).isEqualTo(1);
        assertThat(litmus.out())
                .contains(
                        "  r=0  allowed", "NOT AS EXPECTED:   r=1  NOT allowed", ":9: the outcome: r=1 is not allowed");
    }

    @Test
    void allowedOutcomeThatIsMissingExitsWithOne() throws IOException {
        Invocation litmus = Invocation.of("litmus", file(READ_THEN_WRITE + "allowed: [{r: [0, 1, 2]}]\n"));
        assertThat(litmus.exitCode()).isEqualTo(1);
        assertThat(litmus.out()).contains("  r=2  allowed, but does not occur");
    }

    @Test
    void outcomeIsPermittedOnSomePlatformsAndNeedsTheirWeakness() {
        assertThat(Invocation.of("litmus", "VL-35", "--under", "COHERENT_HOST,GPU_ONE_PATH", "--needs", "x=0")
                        .succeeded()
                        .out())
                .isEqualTo("""
                        VL-35.yaml: x=0
                          COHERENT_HOST      forbidden
                          GPU_ONE_PATH       permitted
                          needs stores-await-release, device-fence-stays
                        """);
        assertThat(Invocation.of("litmus", "VL-35-cure", "--needs", "x=0")
                        .succeeded()
                        .out())
                .isEqualTo("VL-35-cure.yaml: x=0\n  no platform permits it\n");
        assertThat(Invocation.of("litmus", "VL-37", "--under", "GPU_TWO_PATHS", "--json")
                        .succeeded()
                        .out())
                .isEqualTo("{\"scenario\":\"VL-37.yaml\",\"outcome\":\"x=0\",\"platform\":\"GPU_TWO_PATHS\","
                        + "\"answer\":\"forbidden\"}\n");
    }

    @Test
    void questionAboutPlatformsThatRunsOutOfTimeSaysSo() {
        Path file = ShippedFiles.all().stream()
                .filter(each -> each.endsWith("VL-35.yaml"))
                .findAny()
                .orElseThrow();
        for (boolean json : new boolean[] {false, true}) {
            StringWriter out = new StringWriter();
            CommandLine litmus =
                    Main.commandLine().getSubcommands().get("litmus").setOut(new PrintWriter(out, true));
            boolean isKnown = new PlatformReport(
                            litmus.getCommandSpec(), new Output(litmus.getOut(), litmus.getErr(), json), 0, 2)
                    .tell(List.of(ScenarioReader.read(file)), List.of("GPU_ONE_PATH"), "x=0");
            assertThat(isKnown).isFalse();
            assertThat(out.toString())
                    .contains(
                            json
                                    ? List.of(
                                            "\"answer\":\"unknown\"",
                                            "\"possible\":false,\"needs\":[],\"certain\":false")
                                    : List.of("GPU_ONE_PATH       not seen in 0 s", "  not seen in 0 s"));
        }
    }

    @Test
    void robustFileIsToldFromOneWithOutcomesBeyondSequentialConsistency() throws IOException {
        assertThat(Invocation.of("litmus", "LT-01", "--robust").succeeded().out())
                .contains("  robust: all outcomes are those of sequential consistency\n");
        assertThat(Invocation.of("litmus", "LT-02", "--robust").succeeded().out())
                .contains("  not robust: beyond sequential consistency:\n    r=1  by read-fetch, or arrival\n");
        List<String> lines = Invocation.of("litmus", "LT-02", "--robust", "--json")
                .succeeded()
                .out()
                .lines()
                .toList();
        assertThat(JSON.std.mapFrom(lines.get(1)))
                .containsEntry("kind", "robustness")
                .containsEntry("file", "LT-02.yaml")
                .containsEntry("robust", false)
                .containsEntry("known", true)
                .extractingByKey("beyond")
                .asString()
                .contains("r=1", "read-fetch");
        assertThat(Invocation.of("litmus", "LT-02", "--robust", "--executions", "2")
                        .succeeded()
                        .out())
                .contains("beyond sequential consistency, as far as was explored");
    }

    @Test
    void cheapestChangeThatRemovesAnOutcomeIsPrintedWithItsLine() {
        assertThat(Invocation.of("litmus", "LT-02", "--suggest", "r=1")
                        .succeeded()
                        .out())
                .isEqualTo("""
                        LT-02.yaml: r=1
                          possible; removed by
                          flags: FENCE at nodes.a.program[1]  (cost 1; explored in 1 execution)
                            line 8  - {write: {x: 1}}
                            line 8  + {write: {x: 1}, flags: [FENCE]}
                        """);
        assertThat(Invocation.of("litmus", "VL-25-cure", "--suggest", "seen=0", "--under", "GPU_ONE_PATH", "--json")
                        .succeeded()
                        .out())
                .startsWith("{\"kind\":\"suggestion\",\"file\":\"VL-25-cure.yaml\",\"outcome\":\"seen=0\","
                        + "\"platform\":\"GPU_ONE_PATH\",\"possible\":false,\"complete\":true,\"changes\":[")
                .contains("\"before\":\"{flush_gpu: {gpu0: OWNER}}\",\"after\":[]");
        Invocation none = Invocation.of("litmus", "LT-02", "--suggest", "r=0");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.out()).contains("  possible; nothing that was tried removes it: at most 3 fences, ");
        Invocation.of("litmus", "LT-02", "--suggest", "r").failed(2, "write NAME=VALUE, such as seen=0");
        Invocation.of("litmus", "LT-02", "--suggest", "r=1", "--under", "GPU")
                .failed(2, "platform \"GPU\" is none of ");
    }

    @Test
    void questionOfPlatformsThatMakesNoSenseSaysWhatToWrite() {
        assertThat(Invocation.of("litmus", "VL-37", "--under", "GPU").err())
                .contains("platform \"GPU\" is none of COHERENT_HOST, ");
        assertThat(Invocation.of("litmus", "VL-37", "--needs", "x:0").err())
                .contains("write NAME=VALUE, such as seen=0");
        assertThat(Invocation.of("litmus", "LT-01", "--under", "all").err())
                .contains("LT-01.yaml has no node with a platform or with domains");
    }

    @Test
    void closedChoicePointTakesItsOutcomeAway() throws IOException {
        String choices = "choices: {on: [acknowledgement, placement, completion]}\n";
        assertThat(Invocation.of("litmus", file(READ_THEN_WRITE + choices + "allowed: [{r: 0}]\n"))
                        .succeeded()
                        .out())
                .contains("complete: 1 outcome ");
    }

    @Test
    void failedExpectationOfAStepIsNotAllowedEither() throws IOException {
        String content = READ_THEN_WRITE.replace(
                "      - write: {x: 1}\n",
                "      - write: {x: 1}\n      - completion: SUCCESS\n      - expect: {r: 0}\n");
        Invocation litmus = Invocation.of("litmus", file(content));
        assertThat(litmus.exitCode()).isEqualTo(1);
        assertThat(litmus.out()).contains(":9: node a, step 4 {expect: {r: 0}}: r=1, not 0");
    }

    @Test
    void boundThatIsReachedMakesItIncomplete() throws IOException {
        String file = file(READ_THEN_WRITE + "allowed: [{r: [0, 1, 2]}]\n");
        assertThat(Invocation.of("litmus", "--executions", "1", file)
                        .succeeded()
                        .out())
                .contains(
                        "  r=2  allowed, but not seen so far",
                        "  incomplete: 1 outcome in 1 executions",
                        "  incomplete: after 1 run");
        assertThat(Invocation.of("litmus", "--executions", "10", "LT-22")
                        .succeeded()
                        .out())
                .containsPattern(
                        "\n  estimated: about [0-9]+ executions in all [(]standard error [0-9.]+, by 10 random runs[)]\n");
        assertThat(Invocation.of("litmus", "--executions", "10", "LT-22", "--json")
                        .succeeded()
                        .out())
                .contains("\"estimatedExecutions\":", "\"standardError\":", "\"estimatedFrom\":10");
        Invocation.of("litmus", "--executions", "0", file).failed(2, "--executions=0 is not at least 1");
    }

    @Test
    void reductionLosesNoOutcome() throws IOException {
        for (String name : List.of("LT-18-polled", file(READ_THEN_WRITE.replace("- write: {x: 1}", "- tell: done")))) {
            assertThat(outcomes(Invocation.of("litmus", "--unreduced", name)))
                    .isEqualTo(outcomes(Invocation.of("litmus", name)));
        }
    }

    private static List<String> outcomes(Invocation litmus) {
        return litmus.succeeded()
                .out()
                .lines()
                .filter(line -> line.matches("  .*  (seen|allowed), .*"))
                .map(line -> line.split(" {2,}", -1)[1])
                .toList();
    }

    @Test
    void jsonHasOneLineForEachFile() throws IOException {
        List<String> lines = Invocation.of("litmus", "--json", "LT-01", "LT-02")
                .succeeded()
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSize(3);
        Map<String, Object> first = JSON.std.mapFrom(lines.get(0));
        assertThat(first).containsEntry("kind", "explored").containsEntry("complete", true);
        assertThat(first.get("outcomes"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("values", Map.of("r", "1"))
                .containsEntry("choices", "canonical");
        assertThat(JSON.std.mapFrom(lines.get(2))).containsEntry("good", 2).containsEntry("asExpected", true);
    }
}
