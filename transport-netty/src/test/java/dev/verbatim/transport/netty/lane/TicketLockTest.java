// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for a lane gets it in turn, and waiting makes no objects. */
@Timeout(600)
class TicketLockTest {

    private static final int SMALLEST_OBJECT_BYTES = 16;

    private final TicketLock lock = new TicketLock();

    /** Starts a thread and returns when it waits. */
    private static Thread waiting(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        awaitThatItWaits(thread);
        return thread;
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding lets the thread come to its wait
    private static void awaitThatItWaits(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
        }
    }

    @Test
    void threadsGetItInTheOrderInWhichTheyAsked() throws InterruptedException {
        int count = 70; // more than are woken at once
        List<Integer> order = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        lock.lock();
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(waiting(() -> {
                lock.lock();
                order.add(number);
                lock.unlock();
            }));
            assertThat(lock.hasQueuedThreads()).isTrue();
        }
        lock.unlock();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(order).isEqualTo(IntStream.range(0, count).boxed().toList());
        assertThat(lock.hasQueuedThreads()).isFalse();
    }

    @Test
    void whoOnlyTriesDoesNotOvertakeWhoWaits() throws InterruptedException {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        lock.lock();
        assertThat(lock.tryLock()).as("the same thread again").isTrue();
        Thread waiter = waiting(() -> {
            lock.lock();
            order.add("waiter");
            lock.unlock();
        });
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        if (lock.tryLock()) {
            order.add("trier");
            lock.unlock();
        }
        waiter.join();
        assertThat(order.get(0)).isEqualTo("waiter");
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void unlockOfAnotherThreadIsRefused() throws InterruptedException {
        Thread other = new Thread(lock::lock);
        other.start();
        other.join();
        assertThat(lock.tryLock()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void interruptedThreadWaitsOnAndStaysInterrupted() throws InterruptedException {
        List<Boolean> interrupted = Collections.synchronizedList(new ArrayList<>());
        lock.lock();
        Thread waiter = waiting(() -> {
            lock.lock();
            interrupted.add(Thread.currentThread().isInterrupted());
            lock.unlock();
        });
        waiter.interrupt();
        assertThat(interrupted).isEmpty();
        lock.unlock();
        waiter.join();
        assertThat(interrupted).containsExactly(true);
    }

    @Test
    void onlyOneHoldsIt() throws InterruptedException {
        int[] count = {0};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int turn = 0; turn < 2_000; turn++) {
                    if (turn % 2 == 0 || !lock.tryLock()) {
                        lock.lock();
                    }
                    count[0]++;
                    lock.unlock();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(count[0]).isEqualTo(8_000);
    }

    @Test
    void waitingMakesNoObjects() throws InterruptedException {
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int waits = 50;
        boolean[] isOver = new boolean[1]; // guarded by the lock
        Thread waiter = new Thread(() -> {
            boolean goesOn = true;
            while (goesOn) {
                lock.lock();
                goesOn = !isOver[0];
                lock.unlock();
            }
        });
        lock.lock();
        waiter.start();
        long before = 0;
        for (int i = 0; i < 2 * waits; i++) {
            awaitThatItWaits(waiter);
            if (i == waits) {
                before = memory.getThreadAllocatedBytes(waiter.getId());
            }
            lock.unlock();
            lock.lock();
        }
        awaitThatItWaits(waiter);
        assertThat(memory.getThreadAllocatedBytes(waiter.getId()) - before)
                .as("bytes of %d waits", waits)
                .isLessThan((long) waits * SMALLEST_OBJECT_BYTES);
        isOver[0] = true;
        lock.unlock();
        waiter.join();
    }
}
