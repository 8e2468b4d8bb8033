// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.VerbsException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a memory system refuses, and what a power failure leaves. */
class MemorySystemTest {

    private final Simulation simulation = new Simulation(
                    Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.TIMELESS)
            .tap(RuleCoverage::observe);
    private final MemorySystem system = simulation.memorySystem("b", Platform.AS_SPECIFIED);
    private final MemoryDomain gpu = system.device("gpu0");
    private final MemoryDomain persistent = system.persistent("pm");

    @AfterEach
    void close() {
        simulation.close();
    }

    private Memory word() {
        return simulation.addresses().allocate(Long.BYTES);
    }

    @Test
    void inRealTimeNobodySeesAnOlderValue() {
        MemorySystem atOnce = new MemorySystem("b", Platform.AS_SPECIFIED);
        MemoryDomain own = atOnce.device("gpu0");
        Memory memory = atOnce.put(word(), own);
        atOnce.writing(atOnce.cpu(), memory.address(), Long.BYTES);
        memory.buffer().putLong(0, 1);
        assertThat(atOnce.maySee(atOnce.gpu(own), memory.address(), value -> value == 0))
                .isFalse();
        assertThat(atOnce.look(atOnce.gpu(own), memory.address(), Long.BYTES)).isNull();
    }

    @Test
    void domainThatTheNodeDoesNotHaveTakesNoMemory() {
        MemoryDomain foreign = new MemoryDomain("gpu9", MemoryDomain.Kind.DEVICE, 9);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.put(word(), foreign))
                .withMessage("node b has no memory domain gpu9, only [host, gpu0, pm]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.named("gpu9"))
                .withMessage("node b has no memory domain name=gpu9, only [host, gpu0, pm]");
    }

    @Test
    void memoryThatIsInADomainIsNotPutIntoAnother() {
        Memory memory = system.put(word(), gpu);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.put(memory, persistent))
                .withMessageContaining("is in domain gpu0 already");
    }

    @Test
    void observerThatIsNoGpuHasNoKernel() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.kernel(system, persistent, kernel -> {}))
                .withMessage("domain=pm of node b is of no GPU; use one that device() made");
    }

    @Test
    void flushOfTheWrongKindIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.flushRemoteWrites(persistent, FlushScope.OWNER))
                .withMessage("domain=pm is not memory of a GPU, and a driver without a GPU answers"
                        + " CUDA_ERROR_INVALID_CONTEXT; name one that device() made");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.persist(system.put(word(), gpu).address(), Long.BYTES))
                .withMessageContaining("is in domain gpu0, which power failure clears");
    }

    @Test
    @Rule("VIS-15")
    void memoryOfAGpuIsNotRegisteredForFlush() {
        var pd = simulation.open("b").allocatePd();
        Memory memory = system.put(word(), gpu);
        assertThatThrownBy(() -> pd.register(
                        memory, AccessFlags.REMOTE_WRITE | AccessFlags.LOCAL_WRITE | AccessFlags.FLUSH_GLOBAL))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(
                        "is memory of a GPU, which takes no FLUSH_GLOBAL (ibv_reg_dmabuf_mr); leave it out, and READ")
                .satisfies(refused ->
                        assertThat(((VerbsException) refused).errno()).isEqualTo(Errno.EOPNOTSUPP));
        RuleCoverage.assertOutcome();
        assertThat(pd.register(memory, AccessFlags.REMOTE_WRITE | AccessFlags.LOCAL_WRITE)
                        .rkey())
                .isNotZero();
    }

    @Test
    void kernelDoesNotCallForTheCpu() {
        simulation.kernel(system, gpu, kernel -> kernel.launch(gpu));
        assertThatIllegalStateException()
                .isThrownBy(simulation::run)
                .withMessageContaining("launch is for the program of node b/cpu, not for a kernel of b/gpu0");
    }

    @Test
    @Rule("VIS-16")
    void powerFailureLeavesPersistentMemoryAndEndsTheAdaptersOfTheNode() {
        Memory kept = system.put(word(), persistent);
        Memory lost = system.put(word(), system.host());
        var adapter = simulation.open("b");
        var second = simulation.open("b1", SimulationOptions.TIMELESS.profile(), system);
        var peer = simulation.open("a");
        simulation.node("b", cpu -> {
            cpu.store(kept, 0, 1);
            cpu.store(lost, 0, 1);
            cpu.powerFails();
            RuleCoverage.assertOutcome();
            assertThat(kept.buffer().getLong(0)).isNotZero();
            assertThat(lost.buffer().getLong(0)).isZero();
        });
        assertThat(simulation.run()).isTrue();
        assertThat(simulation.isGone(adapter) && simulation.isGone(second)).isTrue();
        assertThat(simulation.isGone(peer)).isFalse();
    }

    @Test
    void tapIsToldWhoMayNotSeeYetAndWhatALoadMissed() {
        Set<String> told = new TreeSet<>();
        Explored explored = new Exploration(OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.OBSERVE))
                .run(schedule -> {
                    try (Simulation each = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                        each.tap(event -> {
                            if (event instanceof TraceEvent.ViewChanged || event instanceof TraceEvent.OlderSeen) {
                                told.add(event.toString().replaceAll("0x[0-9a-f]+", "x"));
                            }
                        });
                        MemorySystem memory = each.memorySystem("b", Platform.GPU_ONE_PATH);
                        MemoryDomain device = memory.device("gpu0");
                        Memory word = memory.put(each.addresses().allocate(Long.BYTES), memory.host());
                        each.node("b", cpu -> cpu.store(word, 0, 1));
                        each.kernel(memory, device, kernel -> {
                            kernel.load(word, 0);
                            kernel.fence(Scope.SYSTEM);
                        });
                        each.run();
                        return "";
                    }
                });
        assertThat(explored.isComplete()).isTrue();
        assertThat(told)
                .containsExactly(
                        "older    b/gpu0 sees 0 at x and misses 1",
                        "view     8 bytes at x of host are seen by all",
                        "view     8 bytes at x of host may be unseen by b/gpu0");
    }
}
