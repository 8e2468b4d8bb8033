// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.StatusLine;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.Robustness;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.ExplorationThreads;
import dev.verbatim.sim.Explored;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Explores files by several threads, and gives what was found in the order of the files. Each thread explores a file as long as there are
 * some, and then makes runs of the others.
 */
final class LitmusJobs implements AutoCloseable {

    private static final long LOOK_EVERY = 20;
    private static final long TELL_MILLIS = 100;

    /** What was found in a file, and how long that took; {@code robustness} is null where it was not asked for. */
    record Found(
            ScenarioExploration exploration,
            ExplorationResult findings,
            long nanos,
            @Nullable Robustness robustness) {}

    /** What an exploration that has ended is asked besides. */
    interface Question {
        @Nullable
        Robustness answer(ScenarioExploration exploration, ExplorationResult findings);
    }

    private final List<ScenarioFile> files;
    private final Question question;
    private final ExecutorService threads;
    private final ExplorationThreads workers = new ExplorationThreads();
    private final AtomicInteger left;
    private final List<Future<Found>> jobs = new ArrayList<>();
    private final AtomicReferenceArray<String> progress;
    private int next;

    /**
     * Begins with the first files.
     *
     * @param most how many threads, at least 1
     * @param explorations the exploration of a file
     * @param bounds when an exploration stops
     * @param question what is asked of each
     */
    LitmusJobs(
            List<ScenarioFile> files,
            int most,
            Function<ScenarioFile, ScenarioExploration> explorations,
            BiFunction<ScenarioFile, Exploration, Exploration> bounds,
            Question question) {
        this.files = files;
        this.question = question;
        this.progress = new AtomicReferenceArray<>(files.size());
        this.threads = Executors.newFixedThreadPool(most);
        this.left = new AtomicInteger(files.size());
        for (int i = 0; i < files.size(); i++) {
            int number = i;
            progress.set(i, "");
            jobs.add(threads.submit(() -> explore(
                    number,
                    explorations.apply(files.get(number)),
                    exploration -> bounds.apply(files.get(number), exploration))));
        }
        for (int i = 1; i < most; i++) {
            threads.execute(workers::makeRuns);
        }
    }

    private Found explore(int number, ScenarioExploration exploration, UnaryOperator<Exploration> bounds) {
        exploration.reporting(LOOK_EVERY, soFar -> progress.set(number, figures(soFar)));
        long begunNanos = System.nanoTime();
        try {
            ExplorationResult findings = exploration.sharedAmong(workers).explore(bounds);
            long nanos = System.nanoTime() - begunNanos;
            return new Found(exploration, findings, nanos, question.answer(exploration, findings));
        } finally {
            if (left.decrementAndGet() == 0) {
                workers.close();
            }
        }
    }

    private static String figures(Explored soFar) {
        return ": " + (soFar.executions() + soFar.abandoned()) + " runs, "
                + soFar.outcomes().size() + " outcomes so far";
    }

    /**
     * Waits for the next file, and tells how far it is meanwhile.
     *
     * @param interruption ends explorations that are under way with what they have found
     * @return null if it had not begun when all were ended
     */
    @Nullable
    Found next(StatusLine status, Interruption interruption) {
        int number = next++;
        String name = files.get(number).name();
        String where = files.size() == 1 ? name : (number + 1) + " of " + files.size() + ", " + name;
        while (true) {
            try {
                return jobs.get(number).get(TELL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException underWay) {
                if (interruption.isAsked()) {
                    endAll();
                }
                status.tell(() -> where + progress.get(number));
            } catch (CancellationException notBegun) {
                return null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while " + name + " was explored", e);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException failed) {
                    throw failed;
                }
                throw new IllegalStateException("the exploration of " + name + " failed", e.getCause());
            }
        }
    }

    private void endAll() {
        for (Runnable notBegun : threads.shutdownNow()) {
            ((Future<?>) notBegun).cancel(false);
        }
    }

    @Override
    public void close() {
        workers.close();
        threads.shutdownNow();
    }

    @Override
    public String toString() {
        return "explorations of " + files.size() + " files";
    }
}
