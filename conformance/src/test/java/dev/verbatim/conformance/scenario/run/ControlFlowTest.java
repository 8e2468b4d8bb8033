// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.testing.Tries;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that compute with registers, and decide by them. */
class ControlFlowTest {

    private static Scenario scenario(String program, String allowed) {
        return scenario("[write: {x: 1}, write: {y: 1}]", program, allowed);
    }

    private static Scenario scenario(String writer, String program, String allowed) {
        return ScenarioReader.read(
                        "f.yaml", """
                        title: It decides
                        nodes:
                          a:
                            program: %s
                          b:
                            words: {x: 0, y: 0}
                            program:
                        %s
                        allowed: [{%s}]
                        """.formatted(writer, program.indent(6).stripTrailing(), allowed))
                .scenario();
    }

    /** Explored whole; where tests may take long, with one WRITE both reduced and not. */
    private static ExplorationResult explored(String program, String allowed) {
        if (Tries.isLong()) {
            compareWithUnreduced(scenario("[write: {y: 1}]", program, allowed));
        }
        ExplorationResult result = new ScenarioExploration(scenario(program, allowed), null).explore(all -> all);
        assertThat(result.explored().isComplete()).isTrue();
        return result;
    }

    private static void compareWithUnreduced(Scenario small) {
        ExplorationResult reduced = new ScenarioExploration(small, null).explore(all -> all);
        ExplorationResult unreduced = new ScenarioExploration(small, null)
                .explore(all -> all.unreduced().atMostExecutions(60_000));
        assertThat(unreduced.explored().isComplete()).isTrue();
        assertThat(reduced.explored().outcomes().keySet())
                .isEqualTo(unreduced.explored().outcomes().keySet());
        assertThat(reduced.discarded() > 0).isEqualTo(unreduced.discarded() > 0);
    }

    private static List<String> outcomes(ExplorationResult result) {
        return result.endings().stream()
                .map(ending -> ending.outcome().toString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "5; 5",
                "a + 3; 10",
                "a - 9; -2",
                "a * a; 49",
                "a & 5; 5",
                "a | 8; 15",
                "a ^ 2; 5",
                "a << 4; 112",
                "a >> 1; 3",
                "0x10 + a; 23"
            })
    void registerIsComputed(String expression, String value) {
        Scenario scenario =
                ScenarioReader.read("f.yaml", """
                        title: It computes
                        nodes:
                          a:
                            program:
                              - set: {a: 7}
                              - set: {r: %s}
                        """.formatted(expression)).scenario();
        assertThat(ScenarioRun.on(FabricKind.SIM).run(scenario).outcome().values())
                .containsEntry("r", value);
    }

    @Test
    void programDecidesByWhatItLoaded() {
        ExplorationResult result = explored("""
                - load: {y: flag}
                - if: flag == 1
                  then:
                    - load: {x: data}
                  else:
                    - set: {data: 9}
                """, "flag: [0, 1], data: [0, 1, 9]");
        assertThat(outcomes(result)).containsExactlyInAnyOrder("data=0 flag=1", "data=1 flag=1", "data=9 flag=0");
    }

    @Test
    void runsThatAreAssumedAwayAreNoOutcomes() {
        ExplorationResult result = explored("""
                - load: {y: flag}
                - assume: flag == 1
                - load: {x: data}
                """, "flag: 1, data: [0, 1]");
        assertThat(outcomes(result)).containsExactlyInAnyOrder("data=0 flag=1", "data=1 flag=1");
        assertThat(result.discarded()).isPositive();
        assertThat(result.isGood()).isTrue();
    }

    @Test
    void loopEndsWithItsConditionAndRunsOfMoreRoundsCountForNothing() {
        ExplorationResult result = explored("""
                - set: {flag: 0}
                - set: {tries: 0}
                - while: flag != 1
                  do:
                    - load: {y: flag}
                    - set: {tries: tries + 1}
                  most: 2
                """, "flag: 1, tries: [1, 2]");
        assertThat(outcomes(result)).containsExactlyInAnyOrder("flag=1 tries=1", "flag=1 tries=2");
        assertThat(result.discarded()).isPositive();
    }

    @Test
    void loopInALoopCountsItsRoundsAnew() {
        Scenario scenario = ScenarioReader.read("f.yaml", """
                        title: Two loops
                        nodes:
                          a:
                            program:
                              - set: {i: 0}
                              - set: {n: 0}
                              - while: i < 3
                                do:
                                  - set: {i: i + 1}
                                  - set: {j: 0}
                                  - while: j != i
                                    do: [set: {j: j + 1}, set: {n: n + 1}]
                                    most: 3
                                most: 3
                        """).scenario();
        ScenarioRun.Result result = ScenarioRun.on(FabricKind.SIM).run(scenario);
        assertThat(result.isDiscarded()).isFalse();
        assertThat(result.outcome().values()).containsEntry("n", "6").containsEntry("i", "3");
    }

    @Test
    void stepInsideABranchPostsAndIsNamedWhenItFails() {
        Scenario scenario = ScenarioReader.read("f.yaml", """
                        title: A post inside
                        nodes:
                          a:
                            program:
                              - set: {r: 1}
                              - if: r >= 1
                                then: [write: {x: 7}, expect: {r: 2}]
                          b: {words: {x: 0}}
                        """).scenario();
        ScenarioRun.Result result = ScenarioRun.on(FabricKind.SIM).run(scenario);
        assertThat(result.outcome().values()).containsEntry("x", "7");
        assertThat(result.failures())
                .extracting(failure -> failure.path() + " " + failure.step())
                .containsExactly("nodes.a.program[1].then[1] step 2, then 2 {expect: {r: 2}}");
    }

    @Test
    void fileIsWrittenAsItIsRead() {
        Scenario scenario = scenario("""
                - load: {x: r}
                - {if: r != 0, then: [set: {s: r + 1}], else: [{while: r == 0, do: [load: {x: r}], most: 3}]}
                - assume: r < 5
                """, "r: 1");
        assertThat(ScenarioReader.read("f.yaml", ScenarioWriter.write(scenario)).scenario())
                .isEqualTo(scenario);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if: r = 1\n  then: []|such as r == 1",
                "if: q == 1\n  then: []|no earlier step of this program sets register q",
                "if: r == 1|then",
                "if: r < SUCCESS\n  then: []|compare by == or !=",
                "while: r == 1\n  do: [set: {r: 2}]|most",
                "while: r == 1\n  do: []\n  most: 1|has no steps",
                "assume: 1|r == 1",
                "set: {r: r+1}|such as a + 1"
            })
    void mistakeIsToldWithARemedy(String stepAndMessage) {
        String[] parts = stepAndMessage.split("[|](?=[^|]*$)");
        assertThatThrownBy(() -> scenario("- load: {x: r}\n- " + parts[0], "r: 0"))
                .hasMessageContaining(parts[1]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "load: {x: r}; assume: r == 1; no earlier step of this program sets register r",
                "load: {x: r}; load: {x: r}, assume: r == 1; two programs of node a set register r",
                "load: {x: r}, assume: r == 1; load: {x: r}; two programs of node a set register r"
            })
    void registerOfAnotherProgramOfTheNodeDecidesNothing(String program, String kernel, String message) {
        assertThatThrownBy(() -> ScenarioReader.read("f.yaml", """
                        title: A register of the CPU
                        nodes:
                          a:
                            domains: {gpu0: device}
                            words: {x: 0}
                            program: [%s]
                            kernels:
                              gpu0: [%s]
                        """.formatted(program, kernel)))
                .hasMessageContaining(message);
    }
}
