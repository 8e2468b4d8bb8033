// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.conformance.scenario.cure.CureSearch;
import dev.verbatim.conformance.scenario.run.TsoModel.Operation;
import dev.verbatim.testing.Tries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several threads of a node's CPU, under SC and with the store buffers of TSO. */
class CpuThreadsTest {

    private static final int PROGRAMS = Tries.of("threads.programs", 8, 300, 3_000);
    private static final long MOST_WITH_PEERS = 5_000;
    private static final long MOST_UNREDUCED = Tries.of("threads.unreduced", 300, 5_000, 30_000);

    /** The steps of a thread, such as {@code x=1 y? F}: a store, a load, a fence. Registers are r0, r1 and so on over all threads. */
    private static List<List<Operation>> threads(String text) {
        List<List<Operation>> threads = new ArrayList<>();
        int registers = 0;
        for (String thread : text.split("[|]")) {
            List<Operation> operations = new ArrayList<>();
            for (String word : thread.strip().split(" ")) {
                if (word.equals("F")) {
                    operations.add(Operation.fence());
                } else if (word.endsWith("?")) {
                    operations.add(Operation.load(word.substring(0, 1), "r" + registers++));
                } else {
                    operations.add(Operation.store(word.substring(0, 1), Integer.parseInt(word.substring(2))));
                }
            }
            threads.add(operations);
        }
        return threads;
    }

    private static String yaml(List<List<Operation>> threads, String cpu) {
        Set<String> locations = new TreeSet<>();
        StringBuilder programs = new StringBuilder();
        for (int i = 0; i < threads.size(); i++) {
            programs.append("      t").append(i).append(":\n");
            for (Operation operation : threads.get(i)) {
                String step = switch (operation.kind()) {
                    case 'S' -> "store: {" + operation.location() + ": " + operation.value() + "}";
                    case 'L' -> "load: {" + operation.location() + ": " + operation.target() + "}";
                    default -> "fence: SYSTEM";
                };
                programs.append("        - ").append(step).append('\n');
                locations.add(operation.location());
            }
        }
        locations.remove("");
        String words = locations.stream().map(location -> location + ": 0").collect(Collectors.joining(", "));
        return "title: Threads\nnodes:\n  a:\n    cpu: " + cpu + "\n    words: {" + words + "}\n    threads:\n"
                + programs;
    }

    private static Scenario scenario(List<List<Operation>> threads, String cpu) {
        return ScenarioReader.read("f.yaml", yaml(threads, cpu)).scenario();
    }

    private static Set<String> outcomes(ExplorationResult result) {
        assertThat(result.explored().isComplete()).isTrue();
        return new TreeSet<>(result.explored().outcomes().keySet());
    }

    /** Explores with and without reduction, and holds both against the model. */
    private static Set<String> outcomes(List<List<Operation>> threads, String cpu) {
        Scenario scenario = scenario(threads, cpu);
        Set<String> reduced = outcomes(new ScenarioExploration(scenario, null).explore(all -> all));
        Set<String> model = TsoModel.ends(threads, cpu.equals("TSO"));
        assertThat(reduced).as(yaml(threads, cpu)).isEqualTo(model);
        ExplorationResult unreduced = new ScenarioExploration(scenario, null)
                .explore(all -> all.unreduced().atMostExecutions(MOST_UNREDUCED));
        if (unreduced.explored().isComplete()) {
            assertThat(outcomes(unreduced)).as(yaml(threads, cpu)).isEqualTo(model);
        }
        return reduced;
    }

    /** The published table of x86-TSO, and that SC permits none of it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SB; x=1 y? | y=1 x?; r0=0 r1=0; true",
                "SB with fences; x=1 F y? | y=1 F x?; r0=0 r1=0; false",
                "SB with one fence; x=1 F y? | y=1 x?; r0=0 r1=0; true",
                "MP; x=1 y=1 | y? x?; r0=1 r1=0; false",
                "LB; x? y=1 | y? x=1; r0=1 r1=1; false",
                "S; x=2 y=1 | y? x=1; r0=1 x=2; false",
                "R; x=1 y=1 | y=2 x?; r0=0 y=2; true",
                "R with a fence; x=1 y=1 | y=2 F x?; r0=0 y=2; false",
                "2+2W; x=1 y=2 | y=1 x=2; x=1 y=1; false",
                "WRC; x=1 | x? y=1 | y? x?; r0=1 r1=1 r2=0; false",
                "IRIW; x=1 | x? y? | y=1 | y? x?; r0=1 r1=0 r2=1 r3=0; false",
                "CoRR; x=1 | x? x?; r0=1 r1=0; false",
                "n6; x=1 x? y? | y=2 x=2; r0=1 r1=0 x=1; true",
                "n5; x=1 x? | x=2 x?; r0=2 r1=1; false",
                "iwp2.4; x=1 x? y? | y=1 y? x?; r0=1 r1=0 r2=1 r3=0; true"
            })
    void outcomeIsPermittedAsTheTableHasIt(String name, String text, String condition, boolean isPermitted) {
        OutcomePattern pattern = OutcomePattern.parse(condition);
        List<List<Operation>> threads = threads(text);

        assertThat(has(outcomes(threads, "TSO"), pattern)).isEqualTo(isPermitted);
        assertThat(has(outcomes(threads, "SC"), pattern)).isFalse();
    }

    private static boolean has(Set<String> outcomes, OutcomePattern pattern) {
        return outcomes.stream()
                .anyMatch(outcome -> Arrays.asList(outcome.split(" "))
                        .containsAll(Arrays.asList(pattern.toString().split(" "))));
    }

    @Test
    void randomThreadsEndAsTheModelHasIt() {
        for (int seed = 1; seed <= PROGRAMS; seed++) {
            Random random = new Random(seed);
            String text = Stream.generate(() -> Stream.generate(() -> word(random))
                            .limit(1 + random.nextInt(3))
                            .collect(Collectors.joining(" ")))
                    .limit(2 + random.nextInt(2))
                    .collect(Collectors.joining(" | "));
            Set<String> unused = outcomes(threads(text), random.nextInt(4) == 0 ? "SC" : "TSO");
        }
    }

    private static String word(Random random) {
        String location = random.nextBoolean() ? "x" : "y";
        return switch (random.nextInt(7)) {
            case 0, 1, 2 -> location + "=" + (1 + random.nextInt(3));
            case 3, 4, 5 -> location + "?";
            default -> "F";
        };
    }

    /** Explores with and without reduction. */
    private static Set<String> explored(String text) {
        Scenario scenario = ScenarioReader.read("f.yaml", text).scenario();
        Set<String> reduced = outcomes(new ScenarioExploration(scenario, null).explore(all -> all));
        assertThat(reduced)
                .isEqualTo(outcomes(new ScenarioExploration(scenario, null)
                        .explore(all -> all.unreduced().atMostExecutions(MOST_WITH_PEERS))));
        return reduced;
    }

    /** What a peer reads and writes, and what a thread has in its store buffer. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "store: {x: 1}, load: {y: r0}; true",
                "store: {x: 1}, fence: SYSTEM, load: {y: r0}; false",
                "store: {x: 1}, tell: stored, load: {y: r0}; false"
            })
    void peerMissesAStoreThatNothingDrained(String program, boolean isPermitted) {
        Set<String> outcomes = explored("""
                title: A thread and a peer
                nodes:
                  a:
                    words: {r1: -1}
                    program: [write: {y: 1}, read: {x: r1}]
                  b:
                    cpu: TSO
                    words: {x: 0, y: 0}
                    program: [%s]
                choices: {on: [program-step]}
                """.formatted(program));

        assertThat(has(outcomes, OutcomePattern.parse("r0=0 r1=0"))).isEqualTo(isPermitted);
    }

    @Test
    void threadsThatReadWhatPeersWriteAgreeOnTheOrder() {
        Set<String> outcomes = explored("""
                title: IRIW with a remote writer
                nodes:
                  a: {program: [{write: {x: 1}, flags: UNSIGNALED}]}
                  b:
                    cpu: TSO
                    words: {x: 0, y: 0}
                    program: [store: {y: 1}]
                    threads:
                      t0: [load: {x: r0}, load: {y: r1}]
                      t1: [load: {y: r2}, load: {x: r3}]
                choices: {on: [program-step]}
                """);

        assertThat(has(outcomes, OutcomePattern.parse("r0=1 r1=0 r2=1 r3=0"))).isFalse();
        assertThat(outcomes).hasSize(15);
    }

    @Test
    void threadThatWaitsForAWordSeesItsOwnStoreFirst() {
        Set<String> outcomes = explored("""
                title: A wait
                nodes:
                  a:
                    cpu: TSO
                    words: {x: 0, y: 0}
                    threads:
                      t0: [store: {x: 1}, until: {x: 1}, load: {y: r0}]
                      t1: [store: {y: 1}, until: {x: 1}]
                """);

        assertThat(outcomes).containsExactly("r0=0 x=1 y=1", "r0=1 x=1 y=1");
    }

    /** Late packets, and bytes that are visible late, beside a store buffer. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "write: {y: 1}; store: {y: 2}, load: {y: r0}; program-step, arrival, placement",
                "read: {x: r1}; store: {x: 1}, load: {x: r0}; program-step, arrival, read-fetch, request",
                "faa: {x: r1}; store: {x: 3}, load: {x: r0}; program-step, arrival"
            })
    void reductionLosesNothingOfStoresAndRequests(String request, String program, String points) {
        assertThat(explored("""
                        title: A thread and a peer
                        nodes:
                          a:
                            words: {r1: -1}
                            program: [%s]
                          b:
                            cpu: TSO
                            words: {x: 0, y: 0}
                            program: [%s]
                        choices: {on: [%s]}
                        """.formatted(request, program, points))).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "store: {source: 1}, write: {got: source}; got=1",
                "store: {source: 1}, {write: {got: source}, flags: INLINE}; got=1"
            })
    void postIsBehindTheStoresOfItsThread(String program, String outcome) {
        assertThat(explored("""
                        title: A post
                        nodes:
                          a: {words: {got: 0}}
                          b:
                            cpu: TSO
                            words: {source: 0}
                            program: [%s]
                            threads: {t: [load: {source: seen}]}
                        choices: {on: [program-step, request]}
                        """.formatted(program)))
                .allSatisfy(seen -> assertThat(seen).startsWith(outcome))
                .hasSize(2);
    }

    @Test
    void storeBuffersAreWhatMakesAnOutcomeAndAFenceRemovesIt() {
        Scenario scenario = scenario(threads("x=1 y? | y=1 x?"), "TSO");
        ScenarioExploration exploration = new ScenarioExploration(scenario, null);
        Robustness robustness = Robustness.of(
                exploration, exploration.explore(all -> all), System::nanoTime, TimeUnit.MINUTES.toNanos(1));

        assertThat(robustness.beyond()).singleElement().satisfies(beyond -> {
            assertThat(beyond.outcome()).hasToString("r0=0 r1=0 x=1 y=1");
            assertThat(Robustness.text(beyond.needsLabels())).isEqualTo("store buffers");
        });
        assertThat(new CureSearch(
                                scenario,
                                OutcomePattern.parse("r0=0,r1=0"),
                                System::nanoTime,
                                TimeUnit.MINUTES.toNanos(1),
                                2)
                        .find()
                        .changes())
                .extracting(change -> String.join(", and ", change.what()))
                .containsExactly(
                        "fence: SYSTEM behind nodes.a.threads.t0[0], and fence: SYSTEM behind nodes.a.threads.t1[0]");
    }

    @Test
    void fileIsWrittenAsItIsReadAndRunsInSimulationsOnly() {
        Scenario scenario = scenario(threads("x=1 y? | y=1 x?"), "TSO");

        assertThat(ScenarioReader.read("f.yaml", ScenarioWriter.write(scenario)).scenario())
                .isEqualTo(scenario);
        assertThat(ScenarioRun.on(FabricKind.TCP).obstacle(scenario)).contains("threads, which need --fabric sim");
        assertThat(ScenarioRun.on(FabricKind.SIM).run(scenario).outcome()).hasToString("r0=0 r1=1 x=1 y=1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "cpu: TSO, platform: COHERENT_HOST, words: {x: 0}, threads: {t: [store: {x: 1}]}; leave out platform",
                "cpu: TSO, regions: {r: {size: 64}}, threads: {t: [store: {r+0:4: 1}]}; r:4 is no aligned word",
                "cpu: TSO, words: {x: 0}, program: [until: {y: 1}]; y",
                "cpu: PSO, words: {x: 0}; TSO",
                "words: {x: 0}, threads: {t: [load: {z: r}]}; z",
                "'domains: {g: device}, words: {x: 0}, kernels: {g: [load: {x: r}]}, threads: {g: [load: {x: s}]}'; is also a kernel"
            })
    void mistakeIsToldWithARemedy(String node, String message) {
        assertThatThrownBy(() -> ScenarioReader.read("f.yaml", "title: t\nnodes:\n  a: {" + node + "}\n"))
                .hasMessageContaining(message);
    }
}
