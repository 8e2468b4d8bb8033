// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Does tasks on several threads, and gives what comes of them in the order in which they were begun. It holds a bounded number of
 * results, so that one task that takes long does not let the others run ahead without end. Used by one thread.
 */
public final class OrderedTasks<T> implements AutoCloseable {

    /** Results that may wait for one that takes long, for each thread. */
    private static final int AHEAD = 16;

    private final ExecutorService threads;
    private final Deque<Future<T>> begun = new ArrayDeque<>();
    private final long most;

    /** @param jobs how many tasks are done at the same time, at least 1; there are never more threads than tasks were begun */
    OrderedTasks(String name, int jobs) {
        threads = Executors.newFixedThreadPool(jobs, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        most = (long) jobs * AHEAD;
    }

    /**
     * Does a task for each of {@code arguments}, and tells {@code observer} the results in their order.
     *
     * @param threads how many at the same time, at least 1
     */
    public static <A, T> void each(
            String name, int threads, List<A> arguments, Function<A, T> task, Consumer<T> observer) {
        try (OrderedTasks<T> tasks = new OrderedTasks<>(name, threads)) {
            int next = 0;
            for (int told = 0; told < arguments.size(); told++) {
                while (next < arguments.size() && tasks.hasRoom()) {
                    A begun = arguments.get(next++);
                    tasks.begin(() -> task.apply(begun));
                }
                observer.accept(tasks.take());
            }
        }
    }

    boolean hasRoom() {
        return begun.size() < most;
    }

    void begin(Callable<T> task) {
        begun.addLast(threads.submit(task));
    }

    /**
     * The result of the oldest task, once it is there; throws what the task threw.
     *
     * @throws CancellationException if this thread is interrupted while it waits
     */
    T take() {
        try {
            return begun.removeFirst().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while a task ran");
        }
    }

    /** Tasks that are not done are given up. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
