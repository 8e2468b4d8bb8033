// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The litmus programs have exactly the outcomes that their files allow. */
class ShippedLitmusTest {

    private static final long MOST = 200_000;
    private static final long MOST_UNREDUCED = 10_000;
    private static final int SEEDS = Tries.of("litmus.seeds", 3, 50, 1_000);

    /** Of all litmus files together; what is here is what they need today, and a little more. */
    private static final long MOST_EXECUTIONS_OF_ALL = 450;

    private static final long MOST_ABANDONED_OF_ALL = 20;

    private static final Map<Path, ExplorationResult> WHOLE = new HashMap<>();

    /** Traces of memory windows, which end in one way, or in those that they name, in any order of events. */
    private static final Set<String> OF_WINDOWS = Set.of(
            "TR-1.yaml",
            "TR-2.yaml",
            "TR-2-empty.yaml",
            "TR-3.yaml",
            "TR-4.yaml",
            "TR-5.yaml",
            "TR-8.yaml",
            "TR-11.yaml");

    /** Those whose unreduced walk has more than 2,000 executions; where two numbers tell, LT-01 has 6,131 and LT-02 8,603. */
    private static final Set<String> TOO_LARGE_UNREDUCED = Set.of(
            "LT-01.yaml",
            "LT-02.yaml",
            "LT-04.yaml",
            "LT-05.yaml",
            "LT-06.yaml",
            "LT-07.yaml",
            "LT-08.yaml",
            "LT-09.yaml",
            "LT-10.yaml",
            "LT-11.yaml",
            "LT-12.yaml",
            "LT-13.yaml",
            "LT-14.yaml",
            "LT-16.yaml",
            "LT-17.yaml",
            "LT-18.yaml",
            "LT-19.yaml",
            "LT-20.yaml",
            "LT-21.yaml",
            "LT-22-fenced.yaml",
            "LT-22.yaml",
            "LT-23.yaml",
            "N18-words.yaml",
            "N5.yaml",
            "N7.yaml",
            "ORD-14-send.yaml",
            "ORD-18.yaml",
            "ORD-32.yaml",
            "ORD-35-send.yaml",
            "ORD-40-seqlock.yaml",
            "TR-1.yaml",
            "TR-2.yaml",
            "TR-5.yaml",
            "TR-11.yaml");

    static Stream<Path> litmusFiles() {
        return ShippedFiles.all().stream()
                .filter(file -> file.getParent().endsWith("litmus")
                        || OF_WINDOWS.contains(file.getFileName().toString()));
    }

    /** All that a file permits; walked through once for both tests. */
    private static ExplorationResult whole(Path file) {
        return WHOLE.computeIfAbsent(file, one -> explore(one, all -> all.atMostExecutions(MOST)));
    }

    private static ExplorationResult explore(Path file, UnaryOperator<Exploration> bounds) {
        Scenario scenario = ScenarioReader.read(file).scenario();
        return new ScenarioExploration(scenario, null).explore(bounds);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("litmusFiles")
    @Rule({
        "LT-01", "LT-02", "LT-03", "LT-04", "LT-05", "LT-06", "LT-07", "LT-08", "LT-09", "LT-10", "LT-11", "LT-12",
        "CM-06", "LT-13", "LT-14", "LT-15", "LT-16", "LT-17", "LT-18", "LT-19", "LT-20", "LT-21", "LT-22", "LT-23",
        "N4", "N5", "N3", "N7", "N8", "N11", "N12", "N13", "N18", "ORD-14", "ORD-16", "ORD-17", "ORD-18", "ORD-35",
        "ORD-39", "ORD-40", "QP-22"
    })
    void litmusProgramHasExactlyTheAllowedOutcomes(Path file) {
        ExplorationResult findings = whole(file);

        assertThat(findings.endings()).as(findings.explored().toString()).allMatch(ExplorationResult.Ending::isAllowed);
        assertThat(findings.explored().stop()).isNull();
        assertThat(findings.missing()).isEmpty();
        assertThat(findings.isGood()).isTrue();
    }

    @Test
    void fewExecutionsShowTheOutcomesOfAllLitmusFiles() {
        List<Explored> all = litmusFiles()
                .filter(file -> file.getParent().endsWith("litmus"))
                .map(file -> whole(file).explored())
                .toList();

        assertThat(all.stream().mapToLong(Explored::executions).sum()).isLessThanOrEqualTo(MOST_EXECUTIONS_OF_ALL);
        assertThat(all.stream().mapToLong(Explored::abandoned).sum()).isLessThanOrEqualTo(MOST_ABANDONED_OF_ALL);
    }

    /** A program that waits for a word of a memory domain looks at that word alone. */
    @Test
    void fewRunsShowWhatObserversSee() {
        List<Explored> all = ShippedFiles.all().stream()
                .filter(file -> Set.of("VL-18.yaml", "VL-20-cure.yaml", "VL-24.yaml")
                        .contains(file.getFileName().toString()))
                .map(file -> whole(file).explored())
                .toList();

        assertThat(all).hasSize(3);
        assertThat(all.stream()
                        .mapToLong(each -> each.executions() + each.abandoned())
                        .sum())
                .isLessThanOrEqualTo(50);
    }

    /** Each point alone is off, in a build for those files that took more than twice as many runs once. */
    @Test
    void pointThatIsOffTakesAtMostTwiceAsManyRuns() {
        List<Path> files = litmusFiles()
                .filter(file -> Tries.isLong()
                        || Set.of("LT-07.yaml", "LT-22.yaml", "ORD-32.yaml", "SRQ-02.yaml")
                                .contains(file.getFileName().toString()))
                .toList();
        for (Path file : files) {
            ScenarioExploration own =
                    new ScenarioExploration(ScenarioReader.read(file).scenario(), null);
            OpenChoices free = withAllTurns(own.openChoices());
            long open = runs(own.under(free));
            for (ChoicePoint point : ChoicePoint.values()) {
                if (point.isOfTurns()) {
                    assertThat(runs(own.under(free.without(point))))
                            .as("%s without %s", file, point)
                            .isLessThanOrEqualTo(2 * open);
                }
            }
        }
    }

    private static long runs(ScenarioExploration exploration) {
        Explored explored = exploration.explore(all -> all).explored();
        return explored.executions() + explored.abandoned();
    }

    static OpenChoices withAllTurns(OpenChoices openChoices) {
        OpenChoices free = openChoices;
        for (ChoicePoint point : ChoicePoint.values()) {
            free = point.isOfTurns() ? free.with(point) : free;
        }
        return free;
    }

    @Test
    void pointsThatAreOffAddNoOutcomesAndFewRuns() {
        long open = 0;
        long closed = 0;
        for (Path file : litmusFiles().toList()) {
            ScenarioExploration own =
                    new ScenarioExploration(ScenarioReader.read(file).scenario(), null);
            OpenChoices free = withAllTurns(own.openChoices());
            OpenChoices some = free.without(ChoicePoint.REQUEST)
                    .without(ChoicePoint.ACKNOWLEDGEMENT)
                    .without(ChoicePoint.READ_FETCH);
            Explored whole = own.under(free).explore(all -> all).explored();
            Explored part = own.under(some).explore(all -> all).explored();

            assertThat(whole.outcomes().keySet())
                    .as("%s", file)
                    .containsAll(part.outcomes().keySet());
            open += whole.executions() + whole.abandoned();
            closed += part.executions() + part.abandoned();
        }
        String figures = closed + " runs with points off, " + open + " with all turns on";
        System.out.println(figures);
        assertThat(closed).as(figures).isLessThanOrEqualTo(2 * open);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("litmusFiles")
    void seedsFindNothingThatTheReducedWalkLeavesOut(Path file) {
        Scenario scenario = ScenarioReader.read(file).scenario();

        Set<String> drawn = new TreeSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            drawn.add(ScenarioRun.on(FabricKind.SIM)
                    .seed(seed)
                    .run(scenario)
                    .outcome()
                    .toString());
        }

        assertThat(whole(file).explored().outcomes().keySet()).containsAll(drawn);
    }

    static Stream<Path> smallFiles() {
        return litmusFiles()
                .filter(file -> !TOO_LARGE_UNREDUCED.contains(file.getFileName().toString()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("smallFiles")
    @LongTest
    void reducedWalkFindsAllThatTheUnreducedOneDoes(Path file) {
        Explored unreduced = explore(file, all -> all.unreduced().atMostExecutions(MOST_UNREDUCED))
                .explored();

        assertThat(unreduced.stop()).as("a larger one is named above").isNull();
        assertThat(whole(file).explored().outcomes().keySet())
                .isEqualTo(unreduced.outcomes().keySet());
    }
}
