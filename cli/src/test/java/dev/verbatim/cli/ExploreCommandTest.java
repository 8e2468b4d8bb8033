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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExploreCommandTest {

    private static String out(List<Object> ended) {
        return (String) ended.get(1);
    }

    private static String err(List<Object> ended) {
        return (String) ended.get(2);
    }

    private static Map<String, Object> json(List<Object> ended) throws IOException {
        return JSON.std.mapFrom(out(ended).strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1025", "134217728"})
    void numberOfThreadsIsBounded(String threads) {
        Invocation.of("explore", "--programs", "1", "--threads", threads)
                .failed(2, "--threads=" + threads + " is not in 1..1024; see verbatim explore --help");
    }

    @Test
    void allProgramsTogetherAreToldWithTheirFiguresAndEndWell() throws IOException {
        List<Object> ended = ExploreInvocation.call("--programs", "10", "--seed", "3", "--json");

        assertThat(ended.get(0)).isEqualTo(0);
        assertThat(json(ended))
                .containsEntry("kind", "result")
                .containsEntry("programs", 10)
                .containsEntry("failures", 0)
                .containsEntry("asExpected", true)
                .containsKeys("medianQueuePairs", "medianRequests", "medianFeatures", "points", "seconds");
    }

    @Test
    void aShardRunsItsPartOfThePrograms() throws IOException {
        List<String> lines = out(ExploreInvocation.call("--programs", "10", "--shard", "3/3", "--json"))
                .lines()
                .toList();

        assertThat(lines).hasSize(3).first().asString().contains("\"shard\":3,\"of\":3");
        assertThat(lines.get(2)).contains("\"kind\":\"result\"", "\"programs\":3,");
    }

    @Test
    void peopleAreToldTheTallyOfChoicesAndTheMedianProgram() {
        assertThat(out(ExploreInvocation.call("--programs", "5")))
                .contains("point ", "median program: ", "fewer than 100 choices", "5 programs of seed 1");
    }

    @Test
    void oneProgramIsShownAndItsChoicesShowItAgain(@TempDir Path directory) throws IOException {
        Map<String, Object> drawn = json(ExploreInvocation.call("--program", "4", "--json"));
        Path file = directory.resolve("p.yaml");
        Files.writeString(file, (String) drawn.get("scenario"));
        String choices = (String) drawn.get("choices");

        assertThat(json(ExploreInvocation.call("--program", "4", "--choices", choices, "--json")))
                .isEqualTo(drawn);
        assertThat(json(ExploreInvocation.call(file.toString(), "--choices", choices, "--json")))
                .isEqualTo(drawn);
    }

    @Test
    void aFileThatCannotComeToItsEndFails(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("p.yaml");
        Files.writeString(file, "title: waits\nnodes: {a: {program: [{completion: any}]}, b: {}}\n");

        List<Object> ended = ExploreInvocation.call(file.toString());

        assertThat(ended.get(0)).isEqualTo(1);
        assertThat(out(ended)).contains("WRONG  program: ").contains("it waits here");
    }

    @Test
    void choicesThatDoNotFitAnyMoreAreNoFaultOfTheDevice() {
        List<Object> ended = ExploreInvocation.call("--program", "4", "--choices", "0:read-fetch=1/9");

        assertThat(ended.get(0)).isEqualTo(1);
        assertThat(out(ended)).isEmpty();
        assertThat(err(ended)).startsWith("verbatim: the recorded choices do not match the run: choice 0 ");
    }

    @Test
    void whatIsNotUnderstoodIsSaidInOneLine() {
        for (String[] args : new String[][] {
            {"--shard", "4/3"},
            {"--shard", "x"},
            {"--choices", "canonical"},
            {"--program", "1", "--choices", "3:nothing=1/2"},
            {"--programs", "0"},
            {"nowhere.yaml"}
        }) {
            List<Object> ended = ExploreInvocation.call(args);
            assertThat(ended.get(0)).as(err(ended)).isEqualTo(2);
            assertThat(err(ended).lines()).as(err(ended)).hasSize(1);
            assertThat(err(ended)).startsWith("verbatim: ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--programs=0, --programs=0 is less than 1;",
        "--failures=0, --failures=0 is less than 1;",
        "--tries=-1, --tries=-1 is less than 0;",
        "--program=-1, --program=-1 is less than 0;"
    })
    void onlyTheWrongOptionIsNamed(String option, String sentence) {
        Invocation.of("explore", option).failed(2, "verbatim: " + sentence);
    }
}
