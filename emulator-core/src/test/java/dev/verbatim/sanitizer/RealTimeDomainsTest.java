// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static dev.verbatim.verbs.AccessFlags.FLUSH_GLOBAL;
import static dev.verbatim.verbs.AccessFlags.FLUSH_PERSISTENT;
import static dev.verbatim.verbs.AccessFlags.LOCAL_WRITE;
import static dev.verbatim.verbs.AccessFlags.RELAXED_ORDERING;
import static dev.verbatim.verbs.AccessFlags.REMOTE_ATOMIC;
import static dev.verbatim.verbs.AccessFlags.REMOTE_READ;
import static dev.verbatim.verbs.AccessFlags.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Processor;
import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In real time bytes appear at once, and the platform that a node declares says what is a mistake. Each has a twin without it, which is
 * silent.
 */
class RealTimeDomainsTest {

    private static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;
    private static final int WORDS = 64;

    /** Node a writes to node b, which has a GPU, persistent memory, and a queue pair to itself. */
    private static final class Machine {

        final Verbatim rdma;
        final MemorySystem system;
        final MemoryDomain gpu0;
        final Processor cpu;
        final RcPeer a;
        final RcPeer b;
        final RcPeer back;
        final RcPeer own;

        Machine(Verbatim rdma, Platform platform) {
            this.rdma = rdma;
            system = rdma.memorySystem("b", platform);
            gpu0 = system.device("gpu0");
            cpu = rdma.processor(system);
            RcPair pair = RcPair.connect(rdma.open("a"), rdma.open("b"));
            a = pair.left();
            b = pair.right();
            RcPair loop = RcPair.connect(b.device(), b.device());
            own = loop.left();
            back = loop.right();
            a.memory().buffer().putLong(0, 1);
            b.qp().postRecv(b.receive(1, 0, 8));
        }

        Memory put(MemoryDomain domain) {
            return system.put(Memory.allocate(WORDS), domain);
        }

        /** Node a writes 1 into the first word of the region, and waits for the completion if {@code waits}. */
        void write(long id, MemoryRegion region, boolean waits) {
            a.qp().postSend(SendWorkRequest.write(id, region.address(), region.rkey(), a.sge(0, 8)));
            if (waits) {
                World.await(a.sent());
            }
        }

        /** Node a tells node b, whose CPU has the completion when this returns. */
        void tell() {
            a.qp().postSend(a.send(9, 0, 8));
            World.await(b.received());
            World.await(a.sent());
        }

        /** Node b WRITEs the first word of the memory by its own adapter, and has the completion. */
        void sendOn(Memory memory) {
            MemoryRegion source = own.pd().register(memory, ALL);
            Sge word = new Sge(source.address(), 8, source.lkey());
            own.qp().postSend(SendWorkRequest.write(3, back.address(0), back.rkey(), word));
            World.await(own.sent());
        }

        /** Node b READs the first word of the memory by its own adapter, and has the completion. */
        void readBack(Memory memory) {
            MemoryRegion again = back.pd().register(memory, ALL);
            own.qp().postSend(SendWorkRequest.read(20, again.address(), again.rkey(), own.sge(128, 8)));
            World.await(own.sent());
            again.close();
        }
    }

    private static Sanitizer sanitizer() {
        return Sanitizer.withSites().silence(Mistake.S15, "the device is closed with all that it has");
    }

    /** What is found that fails a test. */
    private static List<Mistake> found(Platform platform, Consumer<Machine> program) {
        Sanitizer sanitizer = sanitizer();
        Verbatim rdma = Verbatim.inProcess().sanitize(sanitizer);
        program.accept(new Machine(rdma, platform));
        try {
            rdma.close();
        } catch (SanitizerError e) {
            // The test looks at the findings.
        }
        return sanitizer.errors().stream().map(Finding::mistake).distinct().toList();
    }

    /** A mistake, how it is made, and what mends it. */
    enum Twin {
        S23_KERNEL_BEHIND_A_COMPLETION(Platform.GPU_TWO_PATHS) {
            @Override
            void run(Machine machine, boolean isClean) {
                Memory hbm = machine.put(machine.gpu0);
                machine.write(1, machine.b.pd().register(hbm, ALL), false);
                machine.tell();
                if (isClean) {
                    machine.readBack(hbm);
                }
                machine.cpu.launch(
                        machine.gpu0, kernel -> assertThat(kernel.load(hbm, 0)).isEqualTo(1));
                machine.cpu.synchronize(machine.gpu0);
            }
        },
        S24_FLUSH_FOR_THE_OWNER_ONLY(Platform.GPU_ONE_PATH) {
            @Override
            void run(Machine machine, boolean isClean) {
                MemoryDomain gpu1 = machine.system.device("gpu1");
                Memory hbm = machine.put(machine.gpu0);
                Memory tail = machine.put(gpu1);
                machine.cpu.launch(gpu1, kernel -> {
                    assertThat(kernel.loadUntil(tail, 0, value -> value == 1, Await.LIMIT))
                            .isEqualTo(1);
                    assertThat(kernel.load(hbm, 0)).isEqualTo(1);
                });
                machine.write(1, machine.b.pd().register(hbm, ALL), false);
                machine.tell();
                machine.cpu.flushRemoteWrites(machine.gpu0, isClean ? FlushScope.ALL_DEVICES : FlushScope.OWNER);
                machine.cpu.store(tail, 0, 1);
                machine.cpu.fence(Scope.SYSTEM);
                machine.cpu.synchronize(gpu1);
            }
        },
        S25_SECOND_ADAPTER_SENDS_ON(Platform.GPU_TWO_PATHS) {
            @Override
            void run(Machine machine, boolean isClean) {
                RcPair onwards = RcPair.connect(machine.rdma.open("b1", machine.system), machine.rdma.open("c"));
                Memory hbm = machine.put(machine.gpu0);
                machine.write(1, machine.b.pd().register(hbm, ALL), false);
                machine.tell();
                if (isClean) {
                    machine.readBack(hbm);
                }
                RcPeer out = onwards.left();
                MemoryRegion again = out.pd().register(hbm, ALL);
                out.qp()
                        .postSend(SendWorkRequest.write(
                                2,
                                onwards.right().address(0),
                                onwards.right().rkey(),
                                new Sge(again.address(), 8, again.lkey())));
                World.await(out.sent());
            }
        },
        S26_STORE_OF_A_RUNNING_KERNEL(Platform.GPU_ONE_PATH) {
            @Override
            void run(Machine machine, boolean isClean) {
                Memory hbm = machine.put(machine.gpu0);
                Memory flag = machine.put(machine.system.host());
                machine.cpu.launch(machine.gpu0, kernel -> {
                    kernel.store(hbm, 0, 7);
                    if (isClean) {
                        kernel.fence(Scope.SYSTEM);
                    }
                    kernel.store(flag, 0, 1);
                });
                long told = machine.cpu.loadUntil(flag, 0, value -> value == 1, Await.LIMIT);
                assertThat(told).isEqualTo(1);
                machine.sendOn(hbm);
                machine.cpu.synchronize(machine.gpu0);
            }
        },
        S27_ATOMIC_FLAG_IN_A_RELAXED_REGION(Platform.AS_SPECIFIED) {
            @Override
            void run(Machine machine, boolean isClean) {
                Memory data = machine.put(machine.system.host());
                Memory flag = machine.put(machine.system.host());
                machine.write(1, machine.b.pd().register(data, ALL | RELAXED_ORDERING), false);
                MemoryRegion flags = machine.b.pd().register(flag, isClean ? ALL : ALL | RELAXED_ORDERING);
                machine.a
                        .qp()
                        .postSend(
                                SendWorkRequest.fetchAndAdd(2, flags.address(), flags.rkey(), 1, machine.a.sge(64, 8)));
                machine.cpu.loadUntil(flag, 0, value -> value == 1, Await.LIMIT);
                assertThat(machine.cpu.load(data, 0)).isEqualTo(1);
                World.await(machine.a.sent());
            }
        },
        S28_TWO_WRITES_OF_A_RELAXED_WORD(Platform.COHERENT_HOST) {
            @Override
            void run(Machine machine, boolean isClean) {
                Memory data = machine.put(machine.system.host());
                MemoryRegion region = machine.b.pd().register(data, isClean ? ALL : ALL | RELAXED_ORDERING);
                machine.write(1, region, false);
                machine.write(2, region, false);
                machine.tell();
            }
        },
        S29_COMPLETION_TAKEN_FOR_DURABLE(Platform.PMEM_DDIO) {
            @Override
            void run(Machine machine, boolean isClean) {
                Memory log = machine.put(machine.system.persistent("pm"));
                MemoryRegion region =
                        machine.b.pd().register(log, LOCAL_WRITE | REMOTE_WRITE | FLUSH_GLOBAL | FLUSH_PERSISTENT);
                machine.write(1, region, true);
                if (isClean) {
                    machine.a
                            .qp()
                            .postSend(SendWorkRequest.flush(
                                    2,
                                    region.address(),
                                    region.rkey(),
                                    new FlushTarget(FlushTarget.PERSISTENT, FlushTarget.RANGE, 8)));
                    World.await(machine.a.sent());
                }
                machine.tell();
                machine.cpu.powerMayFail();
            }
        },
        S30_KERNEL_POLLS_HOST_MEMORY(Platform.GPU_ONE_PATH) {
            @Override
            void run(Machine machine, boolean isClean) {
                Memory data = machine.put(machine.system.host());
                Memory tail = machine.put(machine.system.host());
                machine.cpu.launch(machine.gpu0, kernel -> {
                    kernel.loadUntil(tail, 0, value -> value == 1, Await.LIMIT);
                    if (isClean) {
                        kernel.fence(Scope.SYSTEM);
                    }
                    assertThat(kernel.load(data, 0)).isEqualTo(5);
                });
                machine.cpu.store(data, 0, 5);
                machine.cpu.store(tail, 0, 1);
                machine.cpu.synchronize(machine.gpu0);
            }
        };

        private final Platform platform;

        Twin(Platform platform) {
            this.platform = platform;
        }

        Mistake mistake() {
            return Mistake.valueOf(name().substring(0, "S23".length()));
        }

        abstract void run(Machine machine, boolean isClean);
    }

    @ParameterizedTest
    @EnumSource
    void mistakeIsFoundAndItsTwinIsSilent(Twin twin) {
        assertThat(found(twin.platform, machine -> twin.run(machine, false))).containsExactly(twin.mistake());
        assertThat(found(twin.platform, machine -> twin.run(machine, true))).isEmpty();
    }

    /** What is a mistake elsewhere is none where the platform promises it. */
    @Test
    void programThatWorksOnItsPlatformIsSilent() {
        assertThat(found(Platform.GPU_ONE_PATH, machine -> Twin.S23_KERNEL_BEHIND_A_COMPLETION.run(machine, false)))
                .isEmpty();
        assertThat(found(Platform.PMEM_DIRECT, machine -> Twin.S29_COMPLETION_TAKEN_FOR_DURABLE.run(machine, false)))
                .isEmpty();
    }

    @Test
    void findingNamesDomainPlatformAdapterAndPlace() {
        Sanitizer sanitizer = sanitizer();
        Verbatim rdma = Verbatim.inProcess();
        Machine machine = new Machine(rdma.sanitize(sanitizer), Platform.GPU_TWO_PATHS);
        Twin.S23_KERNEL_BEHIND_A_COMPLETION.run(machine, false);
        assertThatThrownBy(rdma::close)
                .isInstanceOf(SanitizerError.class)
                .hasMessageContaining("is in gpu0 on GPU_TWO_PATHS and may be under way from adapter b/b")
                .hasMessageContaining("program b/gpu0 loaded")
                .hasMessageContaining("RealTimeDomainsTest.java:");
    }

    @Test
    void sanitizerMayBeSetBehindTheMemorySystem() {
        Verbatim rdma = Verbatim.inProcess();
        MemorySystem system = rdma.memorySystem("b", Platform.GPU_ONE_PATH);
        rdma.sanitize(sanitizer());
        MemoryDomain gpu0 = system.device("gpu0");
        Memory data = system.put(Memory.allocate(WORDS), system.host());
        Memory tail = system.put(Memory.allocate(WORDS), system.host());
        Processor cpu = rdma.processor(system);
        cpu.launch(gpu0, kernel -> {
            kernel.loadUntil(tail, 0, value -> value == 1, Await.LIMIT);
            assertThat(kernel.load(data, 0)).isEqualTo(5);
        });
        cpu.store(data, 0, 5);
        cpu.store(tail, 0, 1);
        cpu.synchronize(gpu0);
        assertThatThrownBy(rdma::close).isInstanceOf(SanitizerError.class).hasMessageStartingWith("S30 ");
    }

    /** The same in a simulation. */
    @Test
    void kernelDoesNotSeeWhatTheCpuStoresBehindItsLaunch() {
        Sanitizer sanitizer = sanitizer();
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL)) {
            simulation.inspect(sanitizer.inspector());
            MemorySystem system = simulation.memorySystem("b", Platform.GPU_ONE_PATH);
            MemoryDomain gpu0 = system.device("gpu0");
            Memory data = system.put(Memory.allocate(WORDS), system.host());
            Memory tail = system.put(Memory.allocate(WORDS), system.host());
            simulation.node("b", cpu -> {
                cpu.launch(gpu0);
                cpu.store(data, 0, 5);
                cpu.store(tail, 0, 1);
            });
            simulation.kernel(system, gpu0, kernel -> {
                kernel.loadUntil(tail, 0, value -> value == 1);
                assertThat(kernel.load(data, 0)).isEqualTo(5);
            });
            assertThat(simulation.run()).isTrue();
        }
        assertThat(sanitizer.errors()).extracting(Finding::mistake).containsExactly(Mistake.S30);
    }

    /** Who has waited for the end of a kernel knows what it did. */
    @Test
    void storesOfAKernelThatWasWaitedForAreSentOn() {
        assertThat(found(Platform.GPU_ONE_PATH, machine -> {
                    Memory hbm = machine.put(machine.gpu0);
                    machine.cpu.launch(machine.gpu0, kernel -> kernel.store(hbm, 0, 7));
                    machine.cpu.synchronize(machine.gpu0);
                    machine.sendOn(hbm);
                }))
                .isEmpty();
    }

    /** An adapter that writes a word tells so in the same step: who loads the word, and tells that, waits for the step. */
    @Test
    void loadIsToldBehindTheStepOfAnAdapter() throws InterruptedException {
        try (Verbatim rdma = Verbatim.inProcess().sanitize(sanitizer())) {
            MemorySystem system = rdma.memorySystem("b", Platform.GPU_ONE_PATH);
            Memory data = system.put(Memory.allocate(WORDS), system.host());
            EmulatedDevice device = (EmulatedDevice) rdma.open("b");
            CountDownLatch isInStep = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            Thread step = new Thread(() -> device.context().lane().call(() -> {
                isInStep.countDown();
                Await.until("the load waits", () -> mayEnd.getCount() == 0);
            }));
            step.start();
            isInStep.await();
            Thread load = new Thread(() -> rdma.processor(system).load(data, 0));
            load.start();
            Await.until("load that waits", () -> load.getState() == Thread.State.WAITING || !load.isAlive());
            assertThat(load.isAlive()).isTrue();
            mayEnd.countDown();
            load.join();
            step.join();
        }
    }

    /** The lines of docs/sanitizer.md. */
    @Test
    void exampleOfTheDocumentMakesWhatItSays() throws IOException {
        Sanitizer sanitizer = sanitizer();
        Verbatim rdma = Verbatim.inProcess().sanitize(sanitizer);
        // example
        MemorySystem system = rdma.memorySystem("b", Platform.GPU_TWO_PATHS); // before the device is opened
        MemoryDomain gpu0 = system.device("gpu0");
        Memory hbm = system.put(Memory.allocate(8), gpu0); // before it is registered
        Processor cpu = rdma.processor(system);
        // end of the example
        RcPair pair = RcPair.connect(rdma.open("a"), rdma.open("b"));
        pair.right().qp().postRecv(pair.right().receive(1, 0, 8));
        MemoryRegion region = pair.right().pd().register(hbm, ALL);
        pair.left()
                .qp()
                .postSend(SendWorkRequest.write(
                        1, region.address(), region.rkey(), pair.left().sge(0, 8)));
        pair.left().qp().postSend(pair.left().send(2, 0, 8));
        World.await(pair.right().received());
        World.await(pair.left().sent());
        cpu.launch(gpu0, kernel -> kernel.load(hbm, 0));
        cpu.synchronize(gpu0);
        assertThatThrownBy(rdma::close).isInstanceOf(SanitizerError.class).hasMessageStartingWith("S23 ");
        String source = Files.readString(
                Path.of("src/test/java/dev/verbatim/sanitizer/" + getClass().getSimpleName() + ".java"));
        String example = source.substring(source.indexOf("// example\n"), source.indexOf("// end of the example"))
                .lines()
                .skip(1)
                .map(String::strip)
                .collect(Collectors.joining("\n"));
        assertThat(Files.readString(Path.of("../docs/sanitizer.md"))).contains("```java\n" + example + "```");
    }

    @Test
    void refusesWhatAProcessorCannotDo() {
        try (Verbatim rdma = Verbatim.inProcess();
                Simulation simulation =
                        new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL)) {
            MemorySystem system = rdma.memorySystem("b", Platform.GPU_ONE_PATH);
            MemoryDomain gpu0 = system.device("gpu0");
            Memory hbm = system.put(Memory.allocate(WORDS), gpu0);
            Processor cpu = rdma.processor(system);
            assertThatThrownBy(() -> cpu.loadUntil(hbm, 0, value -> value == 1, Duration.ofMillis(1)))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                    .hasMessageContaining("offset=0")
                    .hasMessageContaining("was 0 for PT0.001S");
            cpu.launch(gpu0, kernel -> kernel.launch(gpu0, other -> {}));
            assertThatThrownBy(() -> cpu.synchronize(gpu0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("launch is for the CPU of the node, not for a kernel of b/gpu0");
            assertThatThrownBy(() -> rdma.memorySystem("b", Platform.GPU_ONE_PATH))
                    .hasMessageContaining("node=b has a memory system already");
            MemorySystem simulated = Verbatim.in(simulation).memorySystem("b", Platform.GPU_ONE_PATH);
            assertThatThrownBy(() -> rdma.processor(simulated)).hasMessageContaining("Simulation.node");
        }
    }
}
