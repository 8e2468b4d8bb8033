// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak;

import dev.verbatim.cli.soak.account.Figures;
import dev.verbatim.cli.soak.account.SoakFailures;
import dev.verbatim.cli.soak.account.Totals;
import dev.verbatim.cli.soak.plan.DevicePair;
import dev.verbatim.cli.soak.plan.SoakPlan;
import dev.verbatim.cli.soak.verb.RandomVerbs;
import dev.verbatim.cli.soak.world.SoakState;
import dev.verbatim.cli.soak.world.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Lets threads call random verbs on two devices for a bounded time, then accounts for every request and looks for what is left. What
 * each thread draws follows from the seed; how the threads meet does not, so a run cannot be repeated exactly.
 */
public final class Soak {

    private static final Duration WARM_UP = Duration.ofMillis(500);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long PROGRESS_NANOS = 5_000_000_000L;
    private static final long JOIN_MILLIS = 100;
    private static final long STUCK_NANOS = 30_000_000_000L;

    private final SoakPlan plan;
    private final Consumer<String> progress;
    private final SoakFailures failures = new SoakFailures();
    private final Figures figures = new Figures();
    private final Totals totals = new Totals();
    private final BooleanSupplier ended;
    private long elapsedNanos;

    private Soak(SoakPlan plan, Consumer<String> progress, BooleanSupplier ended) {
        this.ended = ended;
        this.plan = plan;
        this.progress = progress;
    }

    /** Soaks; {@code progress} is told a line now and then. Ends before its time when {@code ended} says so. */
    public static SoakResult run(SoakPlan plan, Consumer<String> progress, BooleanSupplier ended) {
        // Once in small, so that what a JVM makes once and keeps is there before anything is counted.
        new Soak(new SoakPlan(WARM_UP, plan.seed(), plan.threads(), plan.fabric()), line -> {}, () -> false).run();
        Leftovers before = Leftovers.atRest();
        Soak soak = new Soak(plan, progress, ended);
        soak.run();
        // A process that ends has threads and buffers of its end; what is left of the soak cannot be told from them.
        boolean isEnded = ended.getAsBoolean();
        if (!isEnded) {
            soak.findLeft(before);
        }
        return SoakResult.of(plan, soak.figures, soak.totals, soak.failures, soak.elapsedNanos, isEnded);
    }

    private void findLeft(Leftovers before) {
        progress.accept("looking for what is left");
        for (String left : before.awaitNone()) {
            failures.add(List.of(), "%s", left);
        }
    }

    private void run() {
        LogWatch watch = LogWatch.begin(failures);
        try (DevicePair pair = DevicePair.open(plan.fabric())) {
            SoakState world = new SoakState(plan, pair, failures, figures, totals);
            long beginNanos = System.nanoTime();
            List<RandomVerbs> workers = work(world, beginNanos);
            elapsedNanos = System.nanoTime() - beginNanos;
            progress.accept("accounting for requests, and closing");
            if (workers.stream().allMatch(RandomVerbs::isOver)) {
                workers.forEach(each -> each.worker().acknowledge(Integer.MAX_VALUE));
                new Settlement(world).settle();
            }
        } finally {
            watch.close();
        }
    }

    private List<RandomVerbs> work(SoakState world, long beginNanos) {
        List<RandomVerbs> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < plan.threads(); i++) {
            RandomVerbs verbs = new RandomVerbs(
                    new Worker(world, i), beginNanos + plan.duration().toNanos());
            workers.add(verbs);
            threads.add(new Thread(verbs, "verbatim-soak-" + i));
        }
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
        long toldNanos = beginNanos;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            join(threads);
            if (ended.getAsBoolean()) {
                workers.forEach(RandomVerbs::end);
            }
            long now = System.nanoTime();
            long idleSince =
                    workers.stream().mapToLong(RandomVerbs::stepNanos).min().orElse(now);
            world.sweep(idleSince);
            if (now - toldNanos > PROGRESS_NANOS) {
                toldNanos = now;
                tell(world, now - beginNanos);
            }
            if (now - idleSince > STUCK_NANOS) {
                findHung(world, threads);
                break;
            }
        }
        return workers;
    }

    private static void join(List<Thread> threads) {
        try {
            for (Thread thread : threads) {
                if (thread.isAlive()) {
                    thread.join(JOIN_MILLIS);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A verb does not return: what every thread does is the only thing left to tell. */
    private static void findHung(SoakState world, List<Thread> threads) {
        for (Thread thread : threads) {
            List<String> stack = new ArrayList<>();
            for (StackTraceElement frame : thread.getStackTrace()) {
                stack.add(frame.toString());
            }
            if (thread.isAlive()) {
                world.failures().add(stack, "%s is in a verb that does not return", thread.getName());
            }
        }
    }

    private void tell(SoakState world, long nanos) {
        progress.accept(String.format(
                Locale.ROOT,
                "%.0f of %d s, %d requests accounted for, %d findings",
                nanos / NANOS_PER_SECOND,
                plan.duration().toSeconds(),
                world.totals().posted.sum(),
                world.failures().count()));
    }
}
