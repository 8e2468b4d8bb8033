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
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Scope;
import dev.verbatim.visibility.Weakness;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random programs of a CPU and a kernel end in simulations as they do in a model that shares no code with them: it keeps all writes
 * of a run, and asks of each whether a load must see it.
 */
class VisibilityModelTest {

    private static final int PROGRAMS = Tries.of("visibility.programs", 150, 1_000, 10_000);
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

    /** A write: by whom, and when it was released; never if that is later than any time. */
    private static final class Write {
        final long value;
        final boolean byKernel;
        int releasedAt = Integer.MAX_VALUE;

        Write(long value, boolean byKernel) {
            this.value = value;
            this.byKernel = byKernel;
        }

        Write copy() {
            Write copy = new Write(value, byKernel);
            copy.releasedAt = releasedAt;
            return copy;
        }
    }

    /** A state of the model. */
    private static final class State {
        int time;
        final int[] next = new int[2];
        final List<List<Write>> writes = List.of(new ArrayList<>(), new ArrayList<>());
        /** By observer and word: the number of writes of which the last was seen. */
        final int[][] seen = new int[2][2];
        /** By word: when the kernel refreshed its view. */
        final int[] refreshed = {-1, -1};

        String loads = "";

        State copy() {
            State copy = new State();
            copy.time = time;
            copy.loads = loads;
            for (int i = 0; i < 2; i++) {
                copy.next[i] = next[i];
                copy.refreshed[i] = refreshed[i];
                copy.seen[i] = seen[i].clone();
                for (Write write : writes.get(i)) {
                    copy.writes.get(i).add(write.copy());
                }
            }
            return copy;
        }
    }

    /** The model: all ends of the two programs. */
    private static final class Model {
        private final List<List<Op>> programs;
        private final Set<Weakness> weak;
        private final Set<String> ends = new TreeSet<>();

        Model(List<List<Op>> programs, Set<Weakness> weak) {
            this.programs = programs;
            this.weak = weak;
        }

        Set<String> ends() {
            go(new State());
            return ends;
        }

        private void go(State state) {
            boolean isEnd = true;
            for (int who = 0; who < 2; who++) {
                if (state.next[who] < programs.get(who).size()) {
                    isEnd = false;
                    State after = state.copy();
                    after.time++;
                    step(after, who, programs.get(who).get(after.next[who]++));
                }
            }
            if (isEnd) {
                ends.add(state.loads.lines().sorted().toList().toString());
            }
        }

        private void step(State state, int who, Op op) {
            int word = op.onHost ? 0 : 1;
            boolean isKernel = who == 1;
            switch (op.kind) {
                case STORE -> {
                    Write write = new Write(op.value, isKernel);
                    boolean awaitsRelease = weak.contains(Weakness.STORES_AWAIT_RELEASE) && (isKernel || word == 1);
                    write.releasedAt = awaitsRelease ? Integer.MAX_VALUE : state.time;
                    state.writes.get(word).add(write);
                    state.seen[who][word] = state.writes.get(word).size();
                }
                case FENCE_SYSTEM -> {
                    release(state, isKernel);
                    if (isKernel) {
                        state.refreshed[0] = state.time;
                    }
                }
                case FENCE_DEVICE -> {
                    if (!weak.contains(Weakness.DEVICE_FENCE_STAYS)) {
                        release(state, isKernel);
                    }
                }
                case FLUSH -> {
                    if (!weak.contains(Weakness.FLUSH_GPU_DOES_NOTHING)) {
                        state.refreshed[1] = state.time;
                    }
                }
                case LAUNCH -> {
                    release(state, false);
                    state.refreshed[0] = state.time;
                    state.refreshed[1] = state.time;
                }
                case LOAD -> {
                    load(state, who, word);
                    return;
                }
            }
            go(state);
        }

        private static void release(State state, boolean byKernel) {
            state.writes.forEach(all -> all.stream()
                    .filter(write -> write.byKernel == byKernel && write.releasedAt > state.time)
                    .forEach(write -> write.releasedAt = state.time));
        }

        private void load(State state, int who, int word) {
            if (who == 0 && word == 1 && !weak.contains(Weakness.BAR_READ_PASSES)) {
                state.refreshed[1] = state.time;
            }
            List<Write> all = state.writes.get(word);
            int oldest = state.seen[who][word];
            for (int i = 0; i < all.size(); i++) {
                if (mustSee(state, who, word, all.get(i))) {
                    oldest = Math.max(oldest, i + 1);
                }
            }
            for (int count = oldest; count <= all.size(); count++) {
                State after = state.copy();
                after.seen[who][word] = count;
                long value = count == 0 ? 0 : all.get(count - 1).value;
                after.loads += who + "." + after.next[who] + "=" + value + "\n";
                go(after);
            }
        }

        private boolean mustSee(State state, int who, int word, Write write) {
            if (write.byKernel == (who == 1)) {
                return true;
            }
            Weakness late = word == 0 ? Weakness.GPU_CACHES_HOST : Weakness.GPU_SEES_AT_REFRESH;
            boolean isAtOnce = who == 0 || !weak.contains(late);
            return write.releasedAt <= state.time && (isAtOnce || write.releasedAt <= state.refreshed[word]);
        }
    }

    private static Set<String> explored(List<List<Op>> programs, Platform platform) {
        Freedom freedom = Freedom.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.OBSERVE);
        Explored explored = new Exploration(freedom).run(schedule -> {
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
            Set<String> strong = new Model(programs, EnumSet.noneOf(Weakness.class)).ends();
            Set<String> expected = new Model(programs, weak).ends();
            assertThat(explored(programs, new Platform("drawn", weak)))
                    .as("seed=%d weak=%s programs=%s", seed, weak, programs)
                    .containsExactlyInAnyOrderElementsOf(expected);
            weakOnes += expected.equals(strong) ? 0 : 1;
        }
        assertThat(weakOnes).as("programs that tell a weak platform").isGreaterThan(PROGRAMS / 15);
        RuleCoverage.assertOutcome();
    }
}
