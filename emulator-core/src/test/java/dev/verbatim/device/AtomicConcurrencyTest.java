// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Atomics of several queue pairs and of the processor on one word lose nothing (WR-37). */
public class AtomicConcurrencyTest {

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int ROUNDS = 2000;

    /** A queue pair of a device of its own, connected to the target's device, used by one thread. */
    private static final class Worker {

        private final CompletionQueue cq;
        private final QueuePair qp;
        private final MemoryRegion result;

        Worker(Device device, Side target) {
            ProtectionDomain pd = device.allocatePd();
            cq = device.createCq(16);
            qp = pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
            result = pd.register(Memory.allocate(8), Side.ALL_RIGHTS);
            RcConnection.connect(qp, target.newQueuePair());
        }

        long does(SendWorkRequest request) {
            qp.postSend(request);
            assertThat(cq.awaitCompletion(Await.LIMIT).isSuccess()).isTrue();
            return result.memory().buffer().getLong(0);
        }
    }

    @Test
    @Rule("WR-37")
    void addsAndSwapsOfSeveralQueuePairsAndOfTheProcessorAddUp() throws Exception {
        try (Verbatim rdma = Verbatim.inProcess().tap(new RecordingTap())) {
            Side target = new Side(rdma.open("target"), QpCapabilities.USUAL);
            ByteBuffer bytes = target.bytes();
            List<Runnable> tasks = new ArrayList<>();
            for (String name : List.of("adder", "other adder")) {
                Worker worker = new Worker(rdma.open(name), target);
                tasks.add(() -> add(worker, target));
            }
            Worker swapper = new Worker(rdma.open("swapper"), target);
            tasks.add(() -> increaseBySwapping(swapper, target));
            tasks.add(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    LONGS.getAndAdd(bytes, 0, 1L);
                }
            });
            runTogether(tasks);
            assertThat((long) LONGS.getVolatile(bytes, 0)).isEqualTo((long) tasks.size() * ROUNDS);
            Outcomes.asserted();
        }
    }

    private static void add(Worker worker, Side target) {
        SendWorkRequest request =
                SendWorkRequest.fetchAndAdd(1, target.address(0), target.rkey(), 1, worker.result.sge());
        long last = -1;
        for (int i = 0; i < ROUNDS; i++) {
            long prior = worker.does(request);
            assertThat(prior).as("values only grow").isGreaterThan(last);
            last = prior;
        }
    }

    private static void increaseBySwapping(Worker worker, Side target) {
        long seen = 0;
        for (int done = 0; done < ROUNDS; ) {
            long prior = worker.does(SendWorkRequest.compareAndSwap(
                    1, target.address(0), target.rkey(), seen, seen + 1, worker.result.sge()));
            done += prior == seen ? 1 : 0;
            seen = prior == seen ? seen + 1 : prior;
        }
    }

    public static void runTogether(List<Runnable> tasks) throws Exception {
        CyclicBarrier start = new CyclicBarrier(tasks.size());
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Runnable task : tasks) {
                running.add(threads.submit(() -> {
                    start.await();
                    task.run();
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
