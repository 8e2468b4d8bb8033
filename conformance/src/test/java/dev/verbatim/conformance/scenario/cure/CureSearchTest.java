// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.visibility.Platform;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Changes of scenarios that remove an outcome. */
class CureSearchTest {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private static Scenario shipped(String name) {
        return ScenarioReader.read(ShippedFiles.all().stream()
                        .filter(file -> file.getFileName().toString().equals(name + ".yaml"))
                        .findAny()
                        .orElseThrow())
                .scenario();
    }

    private static CureSearch.Answer search(Scenario scenario, String outcome) {
        return new CureSearch(scenario, OutcomePattern.parse(outcome), System::nanoTime, PATIENCE_NANOS, 2).find();
    }

    private static List<List<String>> what(CureSearch.Answer answer) {
        return answer.changes().stream().map(CureSearch.Change::what).toList();
    }

    @Test
    void fenceKeepsAWriteBehindARead() {
        CureSearch.Answer answer = search(shipped("LT-02"), "r=1");
        assertThat(answer.isPossible()).isTrue();
        assertThat(answer.isComplete()).isTrue();
        assertThat(what(answer)).containsExactly(List.of("flags: FENCE at nodes.a.program[1]"));
        assertThat(answer.changes().get(0).lines())
                .containsExactly(new ChangedLine(
                        "nodes.a.program[1]", "{write: {x: 1}}", List.of("{write: {x: 1}, flags: [FENCE]}")));
    }

    @Test
    void suggestedScenarioNeverEndsWithTheOutcome() {
        for (CureSearch.Change change : search(shipped("LT-05"), "seen=0").changes()) {
            assertThat(new ScenarioExploration(change.changed(), null)
                            .explore(all -> all)
                            .endings())
                    .isNotEmpty()
                    .noneMatch(ending -> ending.outcome().toString().equals("seen=0"))
                    .allMatch(ending -> ending.failures().isEmpty());
        }
    }

    @Test
    void kernelReleasesItsStoreByAFence() {
        assertThat(what(search(shipped("VL-33"), "x=0")))
                .containsExactly(List.of("fence: SYSTEM before nodes.a.kernels.gpu0[1]"));
    }

    @Test
    void relaxedRegionIsMadeAnOrderedOne() {
        assertThat(what(search(shipped("VL-07"), "seen=1")))
                .containsExactly(List.of("ordered access to region data of b"));
    }

    @Test
    void writerThatReadsItsDataBackMakesItArriveOnAMachineWithTwoPaths() {
        CureSearch.Answer answer = search(shipped("VL-16"), "seen=0");
        assertThat(what(answer)).containsExactly(List.of("READ behind nodes.a.program[1]"));
        assertThat(answer.changes().get(0).cost()).isEqualTo(Edit.ROUND_TRIP);
    }

    @Test
    void flushIsDroppedWhereThePlatformNeedsNone() {
        Scenario cured = shipped("VL-25-cure");
        assertThat(what(search(cured, "seen=0"))).isEmpty();
        assertThat(what(search(cured.on(Platform.GPU_ONE_PATH), "seen=0")))
                .containsExactly(List.of("flush or wait at nodes.b.program[3]"));
    }

    @Test
    void fenceWithoutEffectCanBeDropped() {
        CureSearch.Answer answer = search(ScenarioReader.read("f.yaml", """
                        title: A fence too many
                        nodes:
                          a:
                            words: {r: -1}
                            program:
                              - read: {x: r}
                              - {write: {x: 1}, flags: FENCE}
                              - {write: {x: 2}, flags: FENCE}
                          b: {words: {x: 0}}
                        allowed: [{r: 0, x: 2}]
                        """).scenario(), "r=1");
        assertThat(answer.isPossible()).isFalse();
        assertThat(what(answer)).containsExactly(List.of("flags: FENCE at nodes.a.program[2]"));
    }

    @Test
    void nothingRemovesWhatTheProgramItselfDoes() {
        CureSearch.Answer answer = search(shipped("LT-02"), "r=0");
        assertThat(answer.isPossible()).isTrue();
        assertThat(answer.changes()).isEmpty();
        assertThat(answer.isComplete()).isTrue();
    }

    @Test
    void searchThatIsOutOfTimeSaysSo() {
        CureSearch.Answer answer =
                new CureSearch(shipped("LT-02"), OutcomePattern.parse("r=1"), System::nanoTime, 1, 2).find();
        assertThat(answer.isComplete()).isFalse();
        assertThat(answer.changes()).isEmpty();
    }
}
