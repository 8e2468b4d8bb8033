// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/teaching.md: its files end as it says, and so do the changes that it asks the class to make. */
class LessonTest {

    private static final Path LESSON = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .getParent()
            .resolve("docs/teaching.md");

    private static final int PARTS = 7;

    private static List<String> files() throws IOException {
        return Pattern.compile("(?s)```yaml\n(.*?)```")
                .matcher(Files.readString(LESSON).replace("\r\n", "\n"))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static String part(int number) throws IOException {
        return files().get(number - 1);
    }

    private static String changed(int number, String from, String to) throws IOException {
        String file = part(number);
        assertThat(file).contains(from);
        return file.replace(from, to);
    }

    private static Scenario read(String yaml) {
        return ScenarioReader.read("docs/teaching.md", yaml).scenario();
    }

    private static ScenarioRun.Result run(String yaml) {
        return ScenarioRun.on(FabricKind.SIM).run(read(yaml));
    }

    private static ExplorationResult litmus(String yaml) {
        ExplorationResult findings = new ScenarioExploration(read(yaml), null).explore(all -> all);
        assertThat(findings.explored().isComplete()).isTrue();
        return findings;
    }

    static IntStream parts() {
        return IntStream.rangeClosed(1, PARTS);
    }

    @ParameterizedTest
    @MethodSource("parts")
    void partHasExactlyItsOutcomes(int number) throws IOException {
        assertThat(files()).hasSize(PARTS);
        assertThat(run(part(number)).failures()).isEmpty();
        ExplorationResult findings = litmus(part(number));
        assertThat(findings.isGood()).as(findings.explored().toString()).isTrue();
    }

    @Test
    void kernelSeesTheDataOnOnePathOrBehindARead() throws IOException {
        String flushed = changed(
                7,
                "      - launch: gpu0\n",
                "      - {read: {kv: dummy}, qp: flush}\n      - completion: {opcode: RDMA_READ}\n      - launch: gpu0\n");
        for (String yaml : List.of(changed(7, "GPU_TWO_PATHS", "GPU_ONE_PATH"), flushed)) {
            assertThat(litmus(yaml).explored().outcomes().keySet()).containsExactly("seen=1");
        }
        String byDriver =
                changed(7, "      - launch: gpu0\n", "      - flush_gpu: {gpu0: OWNER}\n      - launch: gpu0\n");
        assertThat(litmus(byDriver).explored().outcomes().keySet()).containsExactlyInAnyOrder("seen=0", "seen=1");
    }

    @Test
    void otherNumberIsNotAllowed() throws IOException {
        assertThat(run(changed(1, "write: {x: 1}", "write: {x: 2}")).failures().toString())
                .contains("x=2 is not allowed");
    }

    @Test
    void fenceLeavesOneOutcomeAndRunShowsOnlyTheUsualOne() throws IOException {
        assertThat(run(part(2)).outcome().toString()).contains("r=0");
        ExplorationResult fenced = litmus(changed(2, "- write: {x: 1}", "- {write: {x: 1}, flags: FENCE}"));
        assertThat(fenced.endings()).hasSize(1);
        assertThat(fenced.missing())
                .hasSize(1)
                .allMatch(outcome -> outcome.toString().contains("r=1"));
    }

    @Test
    void completionOfAReceiveRepairsThePollingProgram() throws IOException {
        String repaired = changed(3, "      - write: {y: 1}\n", "      - await: ready\n      - send: []\n")
                .replace(
                        "      - until: {y: 1}\n",
                        "      - recv: []\n      - tell: ready\n      - completion: SUCCESS\n");
        assertThat(litmus(repaired).endings())
                .hasSize(1)
                .allMatch(ending -> ending.outcome().toString().contains("seen=1"));
    }

    @Test
    void windowCoversEightBytes() throws IOException {
        String failures = run(changed(4, "write: {x: 1}, rkey: w", "write: {y: 1}, rkey: w"))
                .failures()
                .toString();
        assertThat(failures).contains("REM_ACCESS_ERR, not SUCCESS");
    }

    @Test
    void requestBehindTheFailedOneIsFlushed() throws IOException {
        String more = changed(
                5,
                "      - completion: REM_ACCESS_ERR\n",
                "      - {write: {x: 3}, rkey: w}\n      - completion: REM_ACCESS_ERR\n      - completion: WR_FLUSH_ERR\n");
        assertThat(run(more).failures()).isEmpty();
    }

    @Test
    void lostRequestEndsAsALostAnswerDoes() throws IOException {
        assertThat(run(changed(6, "packet: ATOMIC_ACKNOWLEDGE, from: b", "packet: FETCH_ADD, from: a"))
                        .failures())
                .isEmpty();
    }
}
