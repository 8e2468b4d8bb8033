// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.StaleChoicesException;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sanitizer.SanitizerError;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.FailedRun;
import dev.verbatim.sim.RunTooLongException;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.SeedMix;
import dev.verbatim.sim.Shrinker;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** All runs of a test in simulations. */
final class SimulatedRuns {

    /** So many seeds are tried near the beginning of an exploration, which may not come to its end. */
    private static final int SAMPLES = 100;

    private final Settings settings;
    private final TestBody body;
    private SimulationOptions options;

    /** How many waits of a run ended before their time was over, at most. */
    private int waitsInTime;

    private int runs;
    private boolean passesCanonically;

    /** What a sanitizer found in the last run that failed of its own assertion or call. */
    private List<Finding> found = List.of();

    /** What a sanitizer noted in the first run. */
    private List<Finding> notes = List.of();

    SimulatedRuns(Settings settings, TestBody body) {
        this.settings = settings;
        this.options = settings.options();
        this.body = body;
    }

    /** What a sanitizer noted in the first run, and does not fail the test for. */
    List<Finding> notes() {
        return notes;
    }

    /** Makes them; returns if none fails, and says what there was. */
    String run() {
        ChoiceList only = settings.choices();
        if (only != null) {
            requireFit(only);
            explainFailure("choices = \"" + only + "\"", Choices.replayed(only), false);
            return "1 run, with choices = \"" + only + "\"";
        }
        return settings.isExhaustive() ? explore() : runSeeds();
    }

    /** Recorded choices that the run does not reach belong to another program, whether this run fails or not. */
    private void requireFit(ChoiceList recorded) {
        ChoiceRecord record = Choices.recorded(Choices.replayed(recorded));
        Throwable failure = failure(Schedule.by(record, settings.openChoices()), null);
        ChoiceList made = record.list();
        ChoiceList.Deviation missing = recorded.firstMissingIn(made);
        if (missing == null) {
            return;
        }
        String instead = failure instanceof StaleChoicesException
                ? ""
                : "; the run " + (failure == null ? "passes" : "fails") + " after " + made.length() + " choices";
        throw new SimulatedTestFailure(
                "the recorded choices do not match this test: choice " + missing + " is not requested" + instead
                        + "; the test or the device has changed, so remove choices = \"" + recorded
                        + "\" and search again with seeds" + (failure == null ? "" : "; " + failure),
                "",
                "",
                failure);
    }

    private String runSeeds() {
        if (settings.beginsCanonically()) {
            explainFailure("default choices", Choices.canonical(), false);
            passesCanonically = true;
        }
        for (long seed : settings.seeds()) {
            explainFailure("seed = " + seed + " (" + SeedMix.strategyOf(seed) + ")", SeedMix.choices(seed), true);
        }
        return runs + " runs" + (settings.beginsCanonically() ? ", the first with default choices" : "");
    }

    private String explore() {
        // In the runs of an exploration waits end only as they should; here they may end before.
        options = settings.optionsWithTime();
        explainFailure("default choices, where events take time", Choices.canonical(), false);
        options = settings.options();
        try (Progress progress = new Progress(body.method().getName(), System::nanoTime).watch()) {
            return explore(progress);
        }
    }

    private String explore(Progress progress) {
        Exploration exploration = new Exploration(settings.openChoices())
                .atMostEvents(settings.mostEvents() + 1) // a run that is longer fails
                .atMostExecutions(settings.mostRuns())
                .reporting(progress::isDue, progress::tell)
                .sampling(SAMPLES);
        Explored explored;
        try {
            explored = exploration.run(schedule -> {
                rethrow(failure(schedule, null));
                return "passes";
            });
        } catch (FailedRun failed) {
            Long seed = failed.seed();
            if (Thread.currentThread().isInterrupted()) {
                throw failed;
            }
            boolean shrinks = !(failed.getCause() instanceof RunTooLongException);
            explainFailure(
                    (seed == null ? "" : "seed = " + seed + " of ") + "an exhaustive exploration",
                    Choices.replayed(failed.choices()),
                    shrinks);
            throw failed;
        }
        if (!explored.isComplete()) {
            throw new AssertionError("no run failed, but the exploration is incomplete: it stopped " + explored.stop()
                    + "; allow more runs or events, or use smaller programs or fewer choice points");
        }
        return explored
                + (waitsInTime == 0
                        ? ""
                        : "\ntime limits: " + waitsInTime + (waitsInTime == 1 ? " wait" : " waits")
                                + " of a run had one; that the time ends first was tried with default choices only");
    }

    /** Runs once, and if that fails, throws what explains it. */
    private void explainFailure(String found, Choices choices, boolean shrinks) {
        runs++;
        ChoiceRecord record = Choices.recorded(choices);
        Throwable failure = failure(Schedule.by(record, settings.openChoices()), null);
        if (failure == null) {
            return;
        }
        if (Thread.currentThread().isInterrupted()) {
            // Somebody ran out of patience: no time for more runs.
            rethrow(failure);
        }
        ChoiceList made = record.list().trimmed();
        if (!failsAlike(failure, Choices.replayed(made))) {
            throw unsteady(
                    "failed with " + found + ", but not in the same way when its choices were made again", failure);
        }
        ChoiceList fewest =
                shrinks ? new Shrinker(settings.shrinkRuns()).shrink(made, tried -> failsAlike(failure, tried)) : made;
        if (passesCanonically && fewest.equals(ChoiceList.CANONICAL)) {
            throw unsteady("failed with default choices, with which it had passed before", failure);
        }
        throw told(found, made, fewest);
    }

    private static SimulatedTestFailure unsteady(String what, Throwable failure) {
        return new SimulatedTestFailure(
                "it " + what
                        + ": it keeps state between runs, or depends on what the simulation does not control, such as"
                        + " clocks, random numbers or other threads; " + failure,
                "",
                "",
                failure);
    }

    private SimulatedTestFailure told(String how, ChoiceList made, ChoiceList fewest) {
        Story story = new Story();
        ChoiceRecord record = Choices.recorded(Choices.replayed(fewest));
        Throwable failure = failure(story.telling(Schedule.by(record, settings.openChoices()), record), story);
        if (failure == null) {
            throw unsteady(
                    "failed with " + how + ", and passed when it was traced",
                    new AssertionError("choices = \"" + fewest + "\""));
        }
        return new FailureReport(body, failure, found, story).of(how, made, fewest);
    }

    private boolean failsAlike(Throwable expected, Choices choices) {
        Throwable failure = failure(Schedule.by(choices, settings.openChoices()), null);
        return failure != null
                && failure.getClass().equals(expected.getClass())
                && body.place(failure).equals(body.place(expected))
                && (!(failure instanceof VerbsException one)
                        || !(expected instanceof VerbsException other)
                        || one.errno() == other.errno());
    }

    /** Makes one run; what it throws, or null. */
    private @Nullable Throwable failure(Schedule schedule, @Nullable Story story) {
        // The run that is told names the places.
        Sanitizer sanitizer = story == null ? Sanitizer.withoutSites() : Sanitizer.withSites();
        try (Simulation simulation = new Simulation(schedule, options)) {
            if (settings.sanitizes()) {
                simulation.inspect(sanitizer.inspector());
            }
            if (story != null) {
                simulation.tap(story);
            }
            Throwable failure = failure(simulation, sanitizer);
            if (story != null) {
                story.end();
            }
            return failure;
        }
    }

    private static Object ours(Class<?> type, Simulation simulation, Sanitizer sanitizer) {
        if (type == Sanitizer.class) {
            return sanitizer;
        }
        return type == Simulation.class ? simulation : Verbatim.in(simulation);
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a test throws
    private @Nullable Throwable failure(Simulation simulation, Sanitizer sanitizer) {
        try {
            body.call(type -> ours(type, simulation, sanitizer));
            if (!simulation.run()) {
                throw new AssertionError("no event is left, but not all programs have ended");
            }
            waitsInTime = Math.max(waitsInTime, simulation.waitsInTime());
            if (settings.checksLeaks()) {
                LeakCheck.check(simulation.devices());
            }
            sanitizer.requireNoErrors();
            if (runs <= 1) {
                notes = sanitizer.findings();
            }
            return null;
        } catch (TestAbortedException unmetAssumption) {
            throw unmetAssumption;
        } catch (Throwable thrown) {
            found = thrown instanceof SanitizerError ? List.of() : sanitizer.findings();
            return thrown;
        }
    }

    private static void rethrow(@Nullable Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown instanceof Error e) {
            throw e;
        } else if (thrown != null) {
            throw new IllegalStateException(thrown);
        }
    }
}
