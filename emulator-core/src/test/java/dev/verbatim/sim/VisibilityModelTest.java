// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.Memory;
import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.ModelNodes;
import dev.verbatim.visibility.ModelStep;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Scope;
import dev.verbatim.visibility.VisibilityModel;
import dev.verbatim.visibility.Weakness;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random programs of a CPU and a kernel end in simulations as they do in {@link VisibilityModel}, which shares no code with them.
 */
class VisibilityModelTest {

    private static final int PROGRAMS = Tries.of("visibility.programs", 8, 1_000, 10_000);
    private static final int MOST_STEPS = 4;

    /** Among the first programs is one that misses the release of what a refresh showed, and one that misses the report of a load. */
    private static final long FIRST_SEED = 451;

    /** What a program does in a step. */
    private enum Kind {
        STORE,
        LOAD,
        FENCE_SYSTEM,
        FENCE_DEVICE,
        FLUSH,
        LAUNCH
    }

    /** A step on the word in host memory, or else on that in the memory of the GPU. */
    private record Op(Kind kind, boolean onHost, long value) {}

    /** All ends of the two programs on one node: what they loaded, in order. */
    private static Set<String> ends(List<List<Op>> programs, Set<Weakness> weak) {
        ModelNodes nodes = new ModelNodes();
        int node = nodes.node(weak, true);
        int host = nodes.word("host", nodes.domain(node, MemoryDomain.Kind.HOST), 0);
        int gpu = nodes.domain(node, MemoryDomain.Kind.DEVICE);
        int device = nodes.word("device", gpu, 0);
        nodes.program(node, steps(programs.get(0), 0, host, device, gpu));
        nodes.kernel(gpu, false, steps(programs.get(1), 1, host, device, gpu));
        Set<String> ends = new TreeSet<>();
        for (Map<String, Long> end : VisibilityModel.ends(nodes)) {
            List<String> loads = new ArrayList<>();
            end.forEach((name, value) -> {
                if (name.contains(".")) {
                    loads.add(name + "=" + value);
                }
            });
            ends.add(loads.toString());
        }
        return ends;
    }

    private static List<ModelStep> steps(List<Op> ops, int who, int host, int device, int gpu) {
        List<ModelStep> steps = new ArrayList<>();
        for (Op op : ops) {
            int word = op.onHost ? host : device;
            steps.add(
                    switch (op.kind) {
                        case STORE -> new ModelStep.Store(word, op.value);
                        case LOAD -> new ModelStep.Load(word, who + "." + (steps.size() + 1), false);
                        case FENCE_SYSTEM -> new ModelStep.Fence(Scope.SYSTEM);
                        case FENCE_DEVICE -> new ModelStep.Fence(Scope.DEVICE);
                        case FLUSH -> new ModelStep.FlushGpu(gpu, FlushScope.OWNER);
                        case LAUNCH -> new ModelStep.Launch(gpu);
                    });
        }
        return steps;
    }

    private static Set<String> explored(List<List<Op>> programs, Platform platform) {
        OpenChoices openChoices = OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.OBSERVE);
        Explored explored = new Exploration(openChoices).run(schedule -> {
            try (Simulation simulation =
                    new Simulation(schedule, SimulationOptions.TIMELESS).tap(RuleCoverage::observe)) {
                MemorySystem system = simulation.memorySystem("node", platform);
                MemoryDomain gpu = system.device("gpu0");
                Memory host = system.put(simulation.addresses().allocate(Long.BYTES), system.host());
                Memory device = system.put(simulation.addresses().allocate(Long.BYTES), gpu);
                Set<String> loads = new TreeSet<>();
                simulation.node("node", cpu -> play(programs.get(0), 0, cpu, host, device, gpu, loads));
                simulation.kernel(system, gpu, kernel -> play(programs.get(1), 1, kernel, host, device, gpu, loads));
                assertThat(simulation.run()).isTrue();
                return new ArrayList<>(loads).toString();
            }
        });
        assertThat(explored.isComplete()).isTrue();
        return explored.outcomes().keySet();
    }

    private static void play(
            List<Op> ops, int who, Node node, Memory host, Memory device, MemoryDomain gpu, Set<String> loads) {
        for (int i = 0; i < ops.size(); i++) {
            Op op = ops.get(i);
            Memory memory = op.onHost ? host : device;
            switch (op.kind) {
                case STORE -> node.store(memory, 0, op.value);
                case LOAD -> loads.add(who + "." + (i + 1) + "=" + node.load(memory, 0));
                case FENCE_SYSTEM -> node.fence(Scope.SYSTEM);
                case FENCE_DEVICE -> node.fence(Scope.DEVICE);
                case FLUSH -> node.flushRemoteWrites(gpu, FlushScope.OWNER);
                case LAUNCH -> node.launch(gpu);
            }
        }
    }

    /** One that mostly stores, or one that mostly loads: with both, an old value behind a new one tells. */
    private static List<Op> program(Random random, boolean isKernel, boolean stores) {
        List<Op> ops = new ArrayList<>();
        int count = MOST_STEPS - random.nextInt(2);
        for (int i = 0; i < count; i++) {
            Kind usual = stores ? Kind.STORE : Kind.LOAD;
            Kind other = isKernel
                    ? (random.nextBoolean() ? Kind.FENCE_SYSTEM : Kind.FENCE_DEVICE)
                    : List.of(Kind.FENCE_SYSTEM, Kind.FLUSH, Kind.LAUNCH).get(random.nextInt(3));
            Kind rare = random.nextInt(4) == 0 ? (stores ? Kind.LOAD : Kind.STORE) : other;
            Kind kind = random.nextInt(4) == 0 ? rare : usual;
            ops.add(new Op(kind, random.nextBoolean(), (isKernel ? 100 : 0) + i + 1L));
        }
        return ops;
    }

    @Test
    @Rule({"VIS-07", "VIS-08", "VIS-09", "VIS-10", "VIS-11", "VIS-12"})
    void randomProgramsEndAsInAnIndependentModel() {
        int weakOnes = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
            Random random = new Random(seed);
            EnumSet<Weakness> weak = EnumSet.noneOf(Weakness.class);
            for (Weakness weakness : Weakness.values()) {
                if (random.nextBoolean()) {
                    weak.add(weakness);
                }
            }
            boolean kernelStores = random.nextBoolean();
            List<List<Op>> programs =
                    List.of(program(random, false, !kernelStores), program(random, true, kernelStores));
            Set<String> strong = ends(programs, EnumSet.noneOf(Weakness.class));
            Set<String> expected = ends(programs, weak);
            assertThat(explored(programs, new Platform("drawn", weak)))
                    .as("seed=%d weak=%s programs=%s", seed, weak, programs)
                    .containsExactlyInAnyOrderElementsOf(expected);
            weakOnes += expected.equals(strong) ? 0 : 1;
        }
        assertThat(weakOnes).as("programs that tell a weak platform").isGreaterThan(PROGRAMS / 15);
        RuleCoverage.assertOutcome();
    }
}
