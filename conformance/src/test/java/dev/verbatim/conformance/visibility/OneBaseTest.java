// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.visibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.conformance.scenario.spec.MemorySpec;
import dev.verbatim.sim.Explored;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Tries;
import dev.verbatim.visibility.Platform;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A node of which nothing is said is one on {@link Platform#COHERENT_HOST}, and {@link Platform#AS_SPECIFIED} permits all that such a node
 * does: exactly that, where there are no GPUs, no persistent memory and no relaxed ordering.
 */
class OneBaseTest {

    private static final int PROGRAMS = Tries.of("base.programs", 12, 60, 1_000);
    private static final int SHIPPED_EVERY = Tries.of("base.shipped.every", 11, 1, 1);
    private static final long MOST_EXECUTIONS = 400;

    /** Programs that tell a platform from a plain node that waits for other queue pairs, or does not. */
    private static final String OF_ANOTHER_QUEUE_PAIR = """
            title: A READ of another word through another queue pair
            nodes:
              a: {program: [{write: {x: 1}}, completion: SUCCESS, tell: written]}
              b: {words: {x: 0, y: 0}, program: [await: read, {load: {x: seen}}]}
              c: {words: {r: -1}, program: [await: written, {read: {y: r}}, completion: SUCCESS, tell: read]}
            connections: [{between: [a, b.left]}, {between: [c, b.right]}]
            allowed: [{seen: [0, 1]}]
            """;

    private static Scenario on(Scenario plain, Platform platform) {
        Map<String, NodeSpec> nodes = new LinkedHashMap<>(plain.nodes());
        nodes.replaceAll((name, node) -> node.on(new MemorySpec(platform, Map.of(), null)));
        return plain.with(nodes);
    }

    private static Explored explored(Scenario scenario) {
        return new ScenarioExploration(scenario, null)
                .explore(all -> all.atMostExecutions(MOST_EXECUTIONS))
                .explored();
    }

    /** Returns how many outcomes there are; 0 if there are too many executions to compare. */
    private static int compare(String name, Scenario plain, boolean isRelaxed) {
        Explored usual = explored(plain);
        Explored coherent = explored(on(plain, Platform.COHERENT_HOST));
        Explored weakest = explored(on(plain, Platform.AS_SPECIFIED));
        if (!usual.isComplete() || !coherent.isComplete() || !weakest.isComplete()) {
            return 0;
        }
        Set<String> outcomes = usual.outcomes().keySet();
        assertThat(coherent.outcomes().keySet()).as("COHERENT_HOST: %s", name).isEqualTo(outcomes);
        if (isRelaxed) {
            assertThat(weakest.outcomes().keySet()).as("AS_SPECIFIED: %s", name).containsAll(outcomes);
        } else {
            assertThat(weakest.outcomes().keySet()).as("AS_SPECIFIED: %s", name).isEqualTo(outcomes);
        }
        return outcomes.size();
    }

    @Rule("VIS-05")
    @Test
    void readOfAnotherQueuePairCoversNoWrite() {
        Scenario scenario =
                ScenarioReader.read("read.yaml", OF_ANOTHER_QUEUE_PAIR).scenario();
        assertThat(compare("another queue pair", scenario, false)).isEqualTo(2);
        assertThat(explored(on(scenario, Platform.GPU_ONE_PATH)).outcomes().keySet())
                .as("an adapter that keeps the order")
                .containsExactly("seen=1");
        RuleCoverage.assertOutcome();
    }

    @Test
    void shippedProgramsOfPlainNodesEndAlike() {
        int compared = 0;
        int number = 0;
        for (Path file : ShippedFiles.all()) {
            Scenario scenario = ScenarioReader.read(file).scenario();
            if (!scenario.isMarked() && number++ % SHIPPED_EVERY == 0) {
                String name = String.valueOf(file.getFileName());
                compared += compare(name, scenario, name.equals("VL-07.yaml") || name.equals("VL-08.yaml")) > 0 ? 1 : 0;
            }
        }
        assertThat(compared).isGreaterThan(number / SHIPPED_EVERY * 3 / 4);
    }

    @Test
    void randomProgramsOfPlainNodesEndAlike() {
        int compared = 0;
        int several = 0;
        for (int seed = 0; seed < PROGRAMS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            boolean isRelaxed = random.nextInt(4) == 0;
            String text = program(random, isRelaxed);
            int outcomes = compare(
                    "seed=" + seed + "\n" + text,
                    ScenarioReader.read("random.yaml", text).scenario(),
                    isRelaxed);
            compared += outcomes > 0 ? 1 : 0;
            several += outcomes > 1 ? 1 : 0;
        }
        System.out.println(
                compared + " of " + PROGRAMS + " random programs compared, " + several + " with several outcomes");
        assertThat(compared).isGreaterThan(PROGRAMS / 2);
        assertThat(several).isGreaterThan(PROGRAMS / 4);
    }

    /** Two peers write, read and change two words of b through queue pairs of their own; b looks at them. */
    private static String program(SplittableRandom random, boolean isRelaxed) {
        return "title: random\nnodes:\n  a: {words: {p: -1}, program: [" + requests(random, "p", "a")
                + ", tell: a]}\n  b:\n    regions: {m: {words: {x: 0, y: 0}, access: [LOCAL_WRITE, REMOTE_WRITE,"
                + " REMOTE_READ, REMOTE_ATOMIC" + (isRelaxed ? ", RELAXED_ORDERING" : "") + "]}}\n    program: ["
                + looks(random) + "]\n  c: {words: {q: -1}, program: [" + (random.nextBoolean() ? "await: a, " : "")
                + requests(random, "q", "c")
                + ", tell: c]}\nconnections: [{between: [a, b.left]}, {between: [c, b.right]}]\n"
                + "choices: {on: [program-step, arrival, placement, observe, writeback, durable]}\n";
    }

    private static String requests(SplittableRandom random, String own, String who) {
        List<String> steps = new ArrayList<>();
        int count = 1 + random.nextInt(2);
        for (int i = 1; i <= count; i++) {
            String word = random.nextBoolean() ? "x" : "y";
            int value = (who.equals("a") ? 10 : 20) + i;
            steps.add(
                    switch (random.nextInt(6)) {
                        case 0, 1 -> "{write: {" + word + ": " + value + "}}";
                        case 2, 3 -> "{read: {" + word + ": " + own + "}}";
                        case 4 -> "{faa: {" + word + ": " + own + "}}";
                        default -> "{atomic_write: {" + word + ": " + value + "}}";
                    });
            if (i == count || random.nextInt(3) == 0) {
                steps.add("completion: SUCCESS");
            }
        }
        return String.join(", ", steps);
    }

    private static String looks(SplittableRandom random) {
        List<String> steps = new ArrayList<>();
        int waits = random.nextInt(4);
        if (waits < 3) {
            steps.add("await: " + (waits == 0 ? "a" : "c"));
        }
        boolean isXFirst = random.nextBoolean();
        steps.add("{load: {" + (isXFirst ? "x" : "y") + ": s}}");
        steps.add("{load: {" + (isXFirst ? "y" : "x") + ": t}}");
        return String.join(", ", steps);
    }
}
