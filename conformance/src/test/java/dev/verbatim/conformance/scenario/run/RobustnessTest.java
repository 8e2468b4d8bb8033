// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.fabric.ChoicePoint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios compared with sequential consistency. */
class RobustnessTest {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** Sequential consistency is explored whole in any case. */
    private static Set<String> sequential(String content) {
        ScenarioExploration exploration =
                new ScenarioExploration(ScenarioReader.read("f.yaml", content).scenario(), null);
        ExplorationResult one = exploration.explore(all -> all.atMostExecutions(1));
        return Robustness.of(exploration, one, System::nanoTime, PATIENCE_NANOS).sequential();
    }

    private static Scenario shipped(String name) {
        return ScenarioReader.read(ShippedFiles.all().stream()
                        .filter(file -> file.getFileName().toString().equals(name + ".yaml"))
                        .findAny()
                        .orElseThrow())
                .scenario();
    }

    private static Robustness ofShipped(String name) {
        ScenarioExploration exploration = new ScenarioExploration(shipped(name), null);
        return Robustness.of(exploration, exploration.explore(all -> all), System::nanoTime, PATIENCE_NANOS);
    }

    @Test
    void requestThatOvertakesNeedsTheFetchOfTheReadOrTheArrivalOfItsAnswer() {
        Robustness robustness = ofShipped("LT-02");
        assertThat(robustness.isKnown()).isTrue();
        assertThat(robustness.isRobust()).isFalse();
        assertThat(robustness.beyond()).singleElement().satisfies(beyond -> {
            assertThat(beyond.outcome()).hasToString("r=1");
            assertThat(beyond.needs()).contains(Set.of(ChoicePoint.READ_FETCH));
        });
    }

    @Test
    void fencedRequestIsRobust() {
        Robustness robustness = ofShipped("LT-03");
        assertThat(robustness.isKnown()).isTrue();
        assertThat(robustness.isRobust()).isTrue();
    }

    @Test
    void staleValueOfAPlatformNeedsTheLoad() {
        assertThat(ofShipped("VL-38").beyond())
                .allSatisfy(beyond ->
                        assertThat(Robustness.text(beyond.needsLabels())).contains("observe"))
                .isNotEmpty();
    }

    @Test
    void nothingIsKnownOfWhatWasNotExplored() {
        ScenarioExploration exploration = new ScenarioExploration(shipped("LT-02"), null);
        ExplorationResult part = exploration.explore(all -> all.atMostExecutions(1));
        assertThat(Robustness.of(exploration, part, System::nanoTime, PATIENCE_NANOS)
                        .isKnown())
                .isFalse();
        ExplorationResult whole = exploration.explore(all -> all);
        assertThat(Robustness.of(exploration, whole, System::nanoTime, 0).isKnown())
                .isFalse();
    }

    /** Three nodes; each operation is that of a plain machine with one memory: {@code x=1} writes, {@code x>r} reads, {@code x+r} adds one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x=1 y>r1 | y=1 x>r2",
                "x=1 y=1 | y>r1 x>r2",
                "x>r1 y=1 | y>r2 x=1",
                "x=1 y=2 | y=1 x=2",
                "x+r1 y>r2 | y+r3 x>r4",
                "x=1 x=2 | x>r1 x>r2",
                "x+r1 x+r2 | x+r3"
            })
    void sequentialOutcomesAreThoseOfAPlainMachine(String programs) {
        List<List<String>> plain = List.of(programs.split(" [|] ")).stream()
                .map(program -> List.of(program.split(" ")))
                .toList();
        Set<String> expected = new TreeSet<>();
        Map<String, Long> start = new TreeMap<>(Map.of("x", 0L, "y", 0L));
        plain.forEach(program ->
                program.stream().filter(op -> !op.contains("=")).forEach(op -> start.put(op.substring(2), -1L)));
        interleave(plain, new int[plain.size()], start, expected);

        assertThat(sequential(scenario(plain))).isEqualTo(expected);
    }

    private static void interleave(
            List<List<String>> programs, int[] next, Map<String, Long> memory, Set<String> outcomes) {
        boolean isDone = true;
        for (int i = 0; i < next.length; i++) {
            if (next[i] < programs.get(i).size()) {
                isDone = false;
                String op = programs.get(i).get(next[i]);
                Map<String, Long> after = new TreeMap<>(memory);
                String word = op.substring(0, 1);
                long old = memory.getOrDefault(word, 0L);
                switch (op.charAt(1)) {
                    case '=' -> after.put(word, Long.parseLong(op.substring(2)));
                    case '>' -> after.put(op.substring(2), old);
                    default -> {
                        after.put(word, old + 1);
                        after.put(op.substring(2), old);
                    }
                }
                int[] then = next.clone();
                then[i]++;
                interleave(programs, then, after, outcomes);
            }
        }
        if (isDone) {
            StringBuilder text = new StringBuilder();
            memory.forEach((name, value) -> text.append(text.isEmpty() ? "" : " ")
                    .append(name)
                    .append('=')
                    .append(value));
            outcomes.add(text.toString());
        }
    }

    private static String scenario(List<List<String>> programs) {
        StringBuilder nodes = new StringBuilder("title: plain\nnodes:\n");
        StringBuilder connections = new StringBuilder("connections:\n");
        for (int i = 0; i < programs.size(); i++) {
            StringBuilder words = new StringBuilder();
            StringBuilder steps = new StringBuilder();
            for (String op : programs.get(i)) {
                char word = op.charAt(0);
                String rest = op.substring(2);
                steps.append("      - ")
                        .append(
                                switch (op.charAt(1)) {
                                    case '=' -> "write: {" + word + ": " + rest + "}";
                                    case '>' -> "read: {" + word + ": " + rest + "}";
                                    default -> "faa: {" + word + ": " + rest + "}";
                                })
                        .append('\n');
                words.append(op.charAt(1) == '=' ? "" : rest + ": -1, ");
            }
            nodes.append("  n" + i + ":\n    words: {" + words + "unused" + i + ": 0}\n    program:\n" + steps);
            connections.append("  - between: [n" + i + ", c.q" + i + "]\n");
        }
        StringBuilder allowed = new StringBuilder("allowed:\n  - {x: 0, y: 0");
        programs.forEach(program -> program.stream()
                .filter(op -> !op.contains("="))
                .forEach(op -> allowed.append(", ").append(op.substring(2)).append(": 0")));
        return nodes + "  c: {words: {x: 0, y: 0}}\n" + connections + allowed + "}\n";
    }
}
