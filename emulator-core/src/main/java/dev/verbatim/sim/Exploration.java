// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.carrier.SplitMix64;
import dev.verbatim.sim.replay.ForcedChoices;
import dev.verbatim.verbs.AddressSpace;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program repeatedly from its beginning, in every way that a {@link OpenChoices} permits, and collects the outcomes.
 *
 * <pre>{@code
 * Explored explored = new Exploration(OpenChoices.LEGAL).run(schedule -> {
 *     int r = 0; // create everything anew, let the schedule decide, read the result
 *     return "r=" + r;
 * });
 * }</pre>
 */
public final class Exploration {

    /** A program to run. */
    @FunctionalInterface
    public interface Program {

        /**
         * Runs once, from the beginning, with everything made anew, until nothing more can happen. It must do the same in
         * all runs whose schedule decides alike. What the schedule throws it must let pass.
         *
         * @return the outcome; equal texts are one outcome
         */
        String run(Schedule schedule);
    }

    /**
     * A program that several threads may run at the same time. Where points fix some order it also runs in orders that they do not permit, for what
     * these tell about others: see {@link AllOrders}.
     */
    @FunctionalInterface
    public interface SharedProgram {

        /**
         * As {@link Program#run}, in any order. Of some runs the outcome is not asked for.
         *
         * @return gives the outcome; is asked by the thread of the exploration, in the order of its runs, also where the run then does not count
         */
        Supplier<String> run(Schedule schedule);
    }

    /** The time that is allowed has so many parts: when one is over seeds begin, when two are over they end, and after three the estimate. */
    private static final long PARTS_OF_TIME = 8;

    private static final long PARTS_FOR_SEEDS = 2;
    private static final long PARTS_FOR_ESTIMATE = 3;

    private static final long NO_BOUND = Long.MAX_VALUE;

    /** What to do about what must not be. */
    static final String OUR_FAULT =
            "this is a fault of the exploration, not of the program; run it with seeds instead, and" + " report it";

    private final OpenChoices openChoices;
    private boolean reduced = true;
    private boolean selects = true;
    private long mostExecutions = NO_BOUND;
    private int mostEvents = 100_000;
    private @Nullable Clock clock;
    private long mostNanos = NO_BOUND;
    private ChoiceList begin = ChoiceList.CANONICAL;
    private int pinned;
    private int seeds;
    private int probes;
    private long probeSeed;
    private @Nullable Checkpoint before;
    private BooleanSupplier isSaveDue = () -> false;
    private Consumer<Checkpoint> saver = checkpoint -> {};
    private Consumer<Explored> observer = explored -> {};
    private long period = NO_BOUND;
    private BooleanSupplier isReportDue = () -> false;

    /** Explores all that {@code openChoices} permits: reduced, without a bound on runs. */
    public Exploration(OpenChoices openChoices) {
        this.openChoices = openChoices;
    }

    /** Explores all orders, including those of independent events. */
    public Exploration unreduced() {
        reduced = false;
        return this;
    }

    /** Takes every event that does not sleep: for comparison, as it begins more runs than needed. */
    Exploration takingAllAwake() {
        selects = false;
        return this;
    }

    /** Stops after so many runs, including abandoned ones. */
    public Exploration atMostExecutions(long most) {
        mostExecutions = most;
        return this;
    }

    /** Abandons a run after so many events, 100000 by default; the result is then incomplete. */
    public Exploration atMostEvents(int most) {
        mostEvents = most;
        return this;
    }

    /** Stops after the first run that ends later than so many nanoseconds after the start. */
    public Exploration atMostNanos(Clock clock, long most) {
        this.clock = clock;
        this.mostNanos = most;
        return this;
    }

    /** Resumes another exploration of the same program at its {@link Explored#resumeAt}. */
    public Exploration from(ChoiceList resumeAt) {
        begin = resumeAt;
        pinned = 0;
        return this;
    }

    /** Explores only runs that begin with these choices. */
    public Exploration under(ChoiceList prefix) {
        begin = prefix;
        pinned = prefix.length();
        return this;
    }

    /**
     * Makes runs with the seeds 0, 1 and so on of {@link SeedMix} near the beginning of a longer exploration, so that one that is stopped
     * has seen more than what lies at its beginning. What they find is counted apart, in {@link Explored#sampled}; a run that
     * fails is a {@link FailedRun}. An exploration that ends within as many runs, and an eighth of the time that is allowed, needs none, nor
     * does one that is resumed, or a part. They end when a quarter of that time is over.
     */
    public Exploration sampling(int seeds) {
        this.seeds = seeds;
        return this;
    }

    /**
     * Estimates how many executions there are, from so many random runs at the same point as those of {@link #sampling}, which count as runs
     * with seeds too. For a reduced exploration the {@linkplain Explored.Estimate estimate} is rough. It ends when three eighths of the time
     * that is allowed are over.
     *
     * @param seed determines the runs
     */
    public Exploration estimating(int runs, long seed) {
        this.probes = runs;
        this.probeSeed = seed;
        return this;
    }

    /**
     * Goes on where another exploration of the same program, with the same points and bounds of a run, was.
     *
     * @see #saving
     */
    public Exploration goingOn(Checkpoint checkpoint) {
        before = checkpoint;
        return this;
    }

    /**
     * Gives checkpoints to {@code value}, which has to write each before it returns.
     *
     * @param isDue asked after each run; the last checkpoint, when the exploration ends or stops, is given in any case
     */
    public Exploration saving(BooleanSupplier isDue, Consumer<Checkpoint> value) {
        isSaveDue = isDue;
        saver = value;
        return this;
    }

    /** Reports progress to {@code observer} where {@code isDue}, which is asked after each run. */
    public Exploration reporting(BooleanSupplier isDue, Consumer<Explored> observer) {
        this.isReportDue = isDue;
        this.observer = observer;
        return this;
    }

    /** Reports progress to {@code observer} after every so many runs. */
    public Exploration reporting(long everyExecutions, Consumer<Explored> observer) {
        this.period = everyExecutions;
        this.observer = observer;
        return this;
    }

    /**
     * Explores, until the end or until the calling thread is interrupted; it stays so.
     *
     * @throws FailedRun if the program throws anything
     */
    public Explored run(Program program) {
        return walk(ofOneThread(program), null, false);
    }

    private static SharedProgram ofOneThread(Program program) {
        return schedule -> {
            String outcome = program.run(schedule);
            return () -> outcome;
        };
    }

    /**
     * As {@link #run(Program)}, with the same result, but for the time, while {@code workers} make some of the runs.
     *
     * @param workers null if there are none
     * @throws FailedRun if the program throws anything
     */
    public Explored run(SharedProgram program, @Nullable ExplorationThreads workers) {
        boolean fixesSomeOrder = reduced && selects && openChoices.fixesSomeOrder() && begin.length() == 0;
        return walk(program, workers, fixesSomeOrder);
    }

    private Explored walk(SharedProgram given, @Nullable ExplorationThreads workers, boolean inAllOrders) {
        // What footprints say of memory is compared with what those of other runs say.
        SharedProgram program = schedule -> AddressSpace.inRun(() -> given.run(schedule));
        DepthFirstExploration walk =
                new DepthFirstExploration(openChoices, reduced, selects, mostEvents, new ForcedChoices(begin, pinned));
        try (RunMaker runs = new RunMaker(program, walk, workers)) {
            if (!inAllOrders) {
                return walk(program, runs, null);
            }
            try (RunMaker others =
                    new RunMaker(program, DepthFirstExploration.inAllOrders(openChoices, mostEvents), workers)) {
                return walk(program, runs, new AllOrders(program, openChoices, others));
            }
        }
    }

    /** @param inAllOrders the other walk, where some order is fixed: the exploration is over when one of the two is; null if there is none */
    private Explored walk(SharedProgram program, RunMaker maker, @Nullable AllOrders inAllOrders) {
        DepthFirstExploration walk = maker.walk();
        AllOrders other = inAllOrders;
        Findings findings = new Findings(meaning(), before);
        long startNanos = clock == null ? 0 : clock.nanoTime();
        long most = Math.max(seeds, probes);
        boolean samples = begin.length() == 0 && most > 0;
        long runsBefore = 0;
        long reported = 0;
        if (before != null) {
            requireSame(before.found().meaning());
            if (before.path().isEmpty()) {
                return before.found();
            }
            runsBefore = before.runs();
            samples &= !before.isSampled();
            walk.goOn(before.path());
            other = other == null || before.pathInAllOrders() == null ? null : other.goingOn(before.pathInAllOrders());
        }
        long runsAsPermitted = 0;
        while (true) {
            long runs = findings.runs();
            if (samples && (runsBefore + runs >= Math.min(most, mostExecutions / 2) || isOver(startNanos, 1))) {
                samples = false;
                sample(program, findings, startNanos);
                estimate(program, findings, startNanos);
            }
            boolean isOver = false;
            try {
                if (other == null || !other.isNext(runsAsPermitted)) {
                    runsAsPermitted++;
                    findings.add(maker.makeRun());
                    isOver = !maker.advance();
                } else if (other.makeRun(findings)) {
                    isOver = !other.advance();
                } else {
                    other = null;
                }
            } catch (FailedRun e) {
                if (!Thread.currentThread().isInterrupted() || !(e.getCause() instanceof RunTooLongException)) {
                    throw e;
                }
            }
            if (!isOver && Thread.currentThread().isInterrupted()) {
                return findings.explored("when it was interrupted, after " + runs(findings.runs()), walk.resumeAt());
            }
            runs = findings.runs();
            String stop = isOver ? null : whyStopped(runs, startNanos);
            if (isOver || stop != null || isSaveDue.getAsBoolean()) {
                maker.settle();
                if (other != null) {
                    other.settle();
                }
                saver.accept(new Checkpoint(
                        findings.explored(null, null),
                        !samples,
                        isOver ? List.of() : walk.path(),
                        other == null ? null : other.walk().path()));
            }
            if (isOver || stop != null) {
                return findings.explored(stop, isOver ? null : walk.resumeAt());
            }
            if ((runs / period > reported || isReportDue.getAsBoolean()) && maker.isSettled()) {
                reported = runs / period;
                observer.accept(findings.explored("still under way", walk.resumeAt()));
            }
        }
    }

    private @Nullable String whyStopped(long runs, long startNanos) {
        if (runs >= mostExecutions) {
            return "after " + runs(runs);
        }
        return isOver(startNanos, PARTS_OF_TIME)
                ? "after "
                        + BigDecimal.valueOf(mostNanos, 9).stripTrailingZeros().toPlainString() + " s"
                : null;
    }

    private static String runs(long runs) {
        return runs + (runs == 1 ? " run" : " runs");
    }

    private void requireSame(String meaning) {
        if (!meaning.equals(meaning())) {
            throw new IllegalArgumentException("the checkpoint is of an exploration of " + meaning
                    + ", and this one is of " + meaning() + "; explore from the beginning");
        }
    }

    private void sample(SharedProgram program, Findings findings, long startNanos) {
        long most = Math.min(seeds, mostExecutions);
        for (long seed = 0; seed < most && !isOver(startNanos, PARTS_FOR_SEEDS); seed++) {
            ChoiceRecord record = Choices.recorded(SeedMix.choices(seed));
            BoundedChoices bounded = new BoundedChoices(record, mostEvents);
            try {
                String outcome = program.run(Schedule.by(bounded, openChoices)).get();
                if (!bounded.isCutShort) {
                    findings.addSample(outcome, record.list().trimmed());
                }
            } catch (RuntimeException | Error e) {
                if (!bounded.isCutShort) {
                    throw new FailedRun(record.list(), seed, e);
                }
            }
        }
    }

    private void estimate(SharedProgram program, Findings findings, long startNanos) {
        SplitMix64 random = new SplitMix64(probeSeed);
        long most = Math.min(probes, mostExecutions);
        for (int i = 0; i < most && !isOver(startNanos, PARTS_FOR_ESTIMATE); i++) {
            Probe probe = new Probe(openChoices, reduced, mostEvents, random.next());
            try {
                String outcome = program.run(probe).get();
                if (!probe.isCutShort()) {
                    findings.addSample(outcome, probe.choices().trimmed());
                }
            } catch (RuntimeException | Error e) {
                if (!probe.isCutShort()) {
                    throw new FailedRun(probe.choices(), null, e);
                }
            }
            findings.addProbe(probe.leaves());
        }
    }

    /** Whether so many parts of the time that is allowed are over. */
    private boolean isOver(long startNanos, long parts) {
        return clock != null
                && clock.nanoTime() - startNanos
                        >= (parts == PARTS_OF_TIME ? mostNanos : mostNanos / PARTS_OF_TIME * parts);
    }

    /**
     * Divides the runs of a program into parts to explore {@linkplain #under one by one}, anywhere: together, in this order,
     * they are the whole. Between parts nothing is left out, so that many small ones take longer than one.
     *
     * @param parts how many at least, unless there are fewer runs
     */
    public List<ChoiceList> split(Program program, int parts) {
        List<ChoiceList> split = List.of(begin);
        boolean grew = true;
        while (grew && split.size() < parts) {
            List<ChoiceList> finer = new ArrayList<>();
            for (ChoiceList prefix : split) {
                DepthFirstExploration walk = new DepthFirstExploration(
                        openChoices, reduced, selects, mostEvents, new ForcedChoices(prefix, prefix.length()));
                RunMaker.runOnce(ofOneThread(program), walk, walk);
                List<ChoiceList> branches = walk.branches(prefix.length());
                finer.addAll(branches.isEmpty() ? List.of(prefix) : branches);
            }
            grew = finer.size() > split.size();
            split = finer;
        }
        return split;
    }

    private String meaning() {
        return "every run with points on: " + openChoices + ", of at most " + mostEvents + " events"
                + (reduced ? ", one for all orders of events that do not touch each other" : ", in every order");
    }

    /** Other choices, for at most so many events; then the run is given up. */
    private static final class BoundedChoices implements Choices {

        private final Choices choices;
        private final int mostEvents;
        private int events;
        private boolean isCutShort;

        BoundedChoices(Choices choices, int mostEvents) {
            this.choices = choices;
            this.mostEvents = mostEvents;
        }

        @Override
        public int chooseEvent(Candidates possible) {
            isCutShort |= events++ == mostEvents;
            if (isCutShort) {
                throw new DepthFirstExploration.RunAbandoned();
            }
            return choices.chooseEvent(possible);
        }

        @Override
        public int choose(ChoicePoint point, int alternatives) {
            return choices.choose(point, alternatives);
        }

        @Override
        public boolean chance(ChoicePoint point, int perMille) {
            return choices.chance(point, perMille);
        }

        @Override
        public String toString() {
            return choices + " for at most " + mostEvents + " events";
        }
    }

    @Override
    public String toString() {
        return "exploration of " + openChoices;
    }
}
