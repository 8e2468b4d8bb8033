// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Scope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The CPU of a node with memory domains, or a GPU that runs a kernel, in real time: what its program does besides calling verbs. Bytes
 * appear at once, so a load has the newest value on each platform; the {@linkplain Verbatim#sanitize sanitizer} finds what the platform of
 * the node does not promise. In a simulation {@link dev.verbatim.sim.Node} is the same, and there a load may have an older value.
 *
 * <pre>{@code
 * MemorySystem system = rdma.memorySystem("b", Platform.GPU_TWO_PATHS); // before the device is opened
 * MemoryDomain gpu0 = system.device("gpu0");
 * Memory hbm = system.put(Memory.allocate(8), gpu0);
 * // open "b", register hbm, connect, and wait for a completion ...
 * Processor cpu = rdma.processor(system);
 * cpu.launch(gpu0, kernel -> assertEquals(42, kernel.load(hbm, 0)));
 * cpu.synchronize(gpu0);
 * }</pre>
 *
 * <p>The CPU may be used by any thread, a GPU by the thread of its kernel.
 */
public final class Processor {

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MemorySystem system;
    private final Observer self;
    private final List<Lane> lanes;
    private final List<Kernel> kernels = new CopyOnWriteArrayList<>();
    private volatile @Nullable Inspector inspector;

    /** A kernel that was launched, and whose end nobody has waited for yet. */
    private static final class Kernel {
        private final MemoryDomain gpu;
        private final Thread thread;
        private @Nullable Throwable thrown;

        Kernel(Processor cpu, MemoryDomain gpu, Consumer<Processor> program) {
            this.gpu = gpu;
            Processor self = new Processor(cpu.system, cpu.system.gpu(gpu), cpu.lanes);
            self.inspector = cpu.inspector;
            this.thread = new Thread(() -> run(self, program), self.self.name());
            thread.setDaemon(true);
        }

        private void run(Processor self, Consumer<Processor> program) {
            self.acquired(this);
            try {
                program.accept(self);
            } catch (RuntimeException | Error e) { // for the program that waits for its end
                thrown = e;
            } finally {
                self.released(this);
            }
        }
    }

    /** The CPU of a node. */
    Processor(MemorySystem system) {
        this(system, system.cpu(), new CopyOnWriteArrayList<>());
    }

    private Processor(MemorySystem system, Observer self, List<Lane> lanes) {
        this.system = system;
        this.self = self;
        this.lanes = lanes;
    }

    /** What its program does is told from now on. */
    void inspect(Inspector watcher) {
        inspector = watcher;
        system.inspect(watcher.memory(system));
    }

    /** An adapter of the node works on that lane. */
    void attach(Lane lane) {
        if (!lanes.contains(lane)) {
            lanes.add(lane);
        }
    }

    private void released(Object object) {
        Inspector watcher = inspector;
        if (watcher != null) {
            watcher.released(object);
        }
    }

    private void acquired(Object object) {
        Inspector watcher = inspector;
        if (watcher != null) {
            watcher.acquired(object);
        }
    }

    /** Loads the 64-bit word at {@code offset} of the memory, a multiple of 8, in native byte order. */
    public long load(Memory memory, int offset) {
        long value = (long) WORD.getVolatile(memory.buffer(), offset);
        Inspector watcher = inspector;
        if (watcher != null) {
            awaitAdapters();
            watcher.loaded(memory.address() + offset, Long.BYTES);
        }
        return value;
    }

    /** What adapters were doing when the value was loaded is over, and told: also that they wrote it. */
    private void awaitAdapters() {
        lanes.forEach(lane -> lane.call(() -> {}));
    }

    /**
     * Loads the 64-bit word at {@code offset} of the memory, a multiple of 8, in native byte order, again and again until {@code isAwaited}
     * holds for it.
     *
     * @return the value for which it holds
     * @throws VerbsException ETIMEDOUT if it did not hold within {@code patience}, EINTR if the thread was interrupted
     */
    public long loadUntil(Memory memory, int offset, LongPredicate isAwaited, Duration patience) {
        long startNanos = SystemClock.INSTANCE.nanoTime();
        long value = (long) WORD.getVolatile(memory.buffer(), offset);
        while (!isAwaited.test(value)) {
            if (Thread.currentThread().isInterrupted()) {
                throw VerbsException.of(Errno.EINTR, Rule.NT_06, "the waiting thread was interrupted");
            }
            if (SystemClock.INSTANCE.nanoTime() - startNanos > patience.toNanos()) {
                throw VerbsException.of(
                        Errno.ETIMEDOUT,
                        Rule.NT_06,
                        "the word at offset=%d of %s was %d for %s; wait longer, or see what should write it",
                        offset,
                        memory,
                        value,
                        patience);
            }
            lanes.forEach(Lane::progress);
            Thread.onSpinWait();
            value = (long) WORD.getVolatile(memory.buffer(), offset);
        }
        Inspector watcher = inspector;
        if (watcher != null) {
            awaitAdapters();
            watcher.loadedUntil(memory.address() + offset, Long.BYTES);
            watcher.loaded(memory.address() + offset, Long.BYTES);
        }
        return value;
    }

    /** Stores a 64-bit word at {@code offset} of the memory, a multiple of 8, in native byte order. */
    public void store(Memory memory, int offset, long value) {
        Inspector watcher = inspector;
        if (watcher != null) {
            watcher.stores(memory.address() + offset, Long.BYTES);
        }
        WORD.setVolatile(memory.buffer(), offset, value);
    }

    /** A fence: what was stored before is released, and if its scope is the system, a GPU sees host memory as it is now. */
    public void fence(Scope scope) {
        VarHandle.fullFence();
        system.fence(self, scope);
    }

    /**
     * The CPU starts a kernel, in a thread of its own, which sees what has arrived and what the CPU stored before.
     *
     * @param gpu the memory of the GPU that runs it
     */
    public void launch(MemoryDomain gpu, Consumer<Processor> program) {
        requireCpu("launch");
        Kernel kernel = new Kernel(this, gpu, program);
        system.launch(gpu);
        released(kernel);
        kernels.add(kernel);
        kernel.thread.start();
    }

    /**
     * The CPU waits for the end of all kernels that it has started on the GPU, whose stores are then released. What one of them threw is
     * thrown.
     *
     * @throws VerbsException EINTR if the thread was interrupted
     */
    public void synchronize(MemoryDomain gpu) {
        requireCpu("synchronize");
        for (Kernel kernel : kernels) {
            if (kernel.gpu.equals(gpu)) {
                awaitEnd(kernel);
            }
        }
        system.synchronize(gpu);
    }

    private void awaitEnd(Kernel kernel) {
        try {
            kernel.thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw VerbsException.of(Errno.EINTR, Rule.NT_06, "the waiting thread was interrupted");
        }
        kernels.remove(kernel);
        acquired(kernel);
        if (kernel.thrown instanceof Error error) {
            throw error;
        }
        if (kernel.thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** The CPU flushes what adapters wrote into the memory of a GPU. */
    public void flushRemoteWrites(MemoryDomain gpu, FlushScope scope) {
        requireCpu("flushRemoteWrites");
        system.flushRemoteWrites(gpu, scope);
    }

    /**
     * Power may fail here. In real time it does not, and nothing changes; the sanitizer finds what the CPU takes for durable by now, and
     * is not (S29).
     */
    public void powerMayFail() {
        requireCpu("powerMayFail");
        Runnable unused = system.powerFails();
    }

    private void requireCpu(String call) {
        if (!system.cpu().equals(self)) {
            throw new IllegalStateException(
                    call + " is for the CPU of the node, not for a kernel of " + self + "; call it there");
        }
    }

    @Override
    public String toString() {
        return self + " of " + system;
    }
}
