// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.page.DrawnPrograms;
import dev.verbatim.cli.page.DrawnScenarios;
import dev.verbatim.cli.page.OutcomePage;
import dev.verbatim.conformance.explore.ProgramResult;
import dev.verbatim.conformance.explore.ProgramRun;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.FabricKind;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.fabric.EndsRun;
import dev.verbatim.page.TracePage;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.SeedMix;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One thing that the studio does: it ends when it is done, when its time is over, when somebody stops it, or when nobody has asked for it
 * for a while, since the browser's tab was closed. In time it ends at an event of a device, or between two executions.
 */
final class StudioJob implements Runnable {

    /** How a job stands. */
    enum State {
        RUNNING,
        DONE,
        STOPPED,
        FAILED
    }

    private static final int MOST_EVENTS = 100_000;
    private static final int MOST_OUTCOMES = 200;
    private static final int MOST_EXPLORED = 1_000;
    private static final int MOST_FAILURES = 5;
    private static final int SAMPLES = 100;
    private static final long MOST_PAGE_BYTES = 128L << 20;
    private static final long LOOK_EVERY = 20;

    /** A page asks every half second. */
    private static final long UNASKED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final int number;
    private final StudioRequest request;
    private final Path directory;
    private final LongSupplier clock;
    private final long beginNanos;
    private final long mostNanos;
    private final int mostExplored;
    private volatile long askedNanos;
    private volatile boolean stopping;
    private volatile State state = State.RUNNING;
    private volatile String sentence = "begins";
    private volatile @Nullable Path page;
    private int events;
    private boolean looked;

    /**
     * A job that begins now.
     *
     * @param directory where its drawing goes
     * @param clock in nanoseconds
     */
    StudioJob(int number, StudioRequest request, Path directory, long mostNanos, LongSupplier clock) {
        this(number, request, directory, mostNanos, MOST_EXPLORED, clock);
    }

    /** The same, with at most so many runs with seeds. */
    StudioJob(int number, StudioRequest request, Path directory, long mostNanos, int mostExplored, LongSupplier clock) {
        this.mostExplored = mostExplored;
        this.clock = clock;
        this.beginNanos = clock.getAsLong();
        this.askedNanos = beginNanos;
        this.number = number;
        this.request = request;
        this.directory = directory;
        this.mostNanos = mostNanos;
    }

    /** Leaves a run in the middle. */
    private static final class Stopped extends RuntimeException implements EndsRun {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped", null, false, false);
        }
    }

    int number() {
        return number;
    }

    /** The scenario file as it was sent. */
    String text() {
        return request.text();
    }

    State state() {
        return state;
    }

    /** What it does, or what came of it. */
    String sentence() {
        return sentence;
    }

    /** The drawing; null if there is none yet. */
    @Nullable
    Path page() {
        return page;
    }

    /** Somebody still waits for it. */
    void asked() {
        askedNanos = clock.getAsLong();
    }

    void stop() {
        stopping = true;
    }

    private boolean isOver() {
        long nowNanos = clock.getAsLong();
        return stopping || nowNanos - beginNanos > mostNanos || nowNanos - askedNanos > UNASKED_NANOS;
    }

    @Override
    public void run() {
        State end = State.FAILED;
        try {
            TracePage drawn = switch (request.kind()) {
                case RUN -> runOnce();
                case LITMUS -> litmus();
                case EXPLORE -> explore();
            };
            write(drawn);
            end = isOver() ? State.STOPPED : State.DONE;
        } catch (Stopped e) {
            sentence = why();
            end = State.STOPPED;
        } catch (CommandFailure e) {
            sentence = String.valueOf(e.getMessage());
        } catch (OutOfMemoryError e) {
            sentence = "there is not enough memory (" + e.getMessage() + "); make the scenario smaller";
        } catch (RuntimeException | Error | IOException e) {
            sentence = "defect: " + e + "; please report it with the scenario";
        } finally {
            state = end;
        }
    }

    private String why() {
        return stopping
                ? "stopped"
                : "stopped after " + TimeUnit.NANOSECONDS.toSeconds(clock.getAsLong() - beginNanos) + " s";
    }

    private Tap bounded(Tap tap) {
        return event -> bound(tap, event);
    }

    private void bound(Tap tap, TraceEvent event) {
        if (isOver()) {
            throw new Stopped();
        }
        if (++events > MOST_EVENTS) {
            throw new StudioEnd(
                    "the run has more than " + MOST_EVENTS + " events; make it shorter, or use verbatim run");
        }
        tap.on(event);
    }

    /** As {@link Stopped}, with a reason that is told. */
    private static final class StudioEnd extends RuntimeException implements EndsRun {
        private static final long serialVersionUID = 1L;

        StudioEnd(String message) {
            super(message, null, false, false);
        }
    }

    private TracePage runOnce() {
        Scenario scenario = request.file().scenario();
        sentence = "runs";
        TracePage drawing = new TracePage(scenario.title()).about(scenario.about());
        DrawnScenarios drawn = new DrawnScenarios(drawing, scenario);
        drawn.begin(scenario, scenario.title());
        try {
            ScenarioRun.Result result = ScenarioRun.on(FabricKind.SIM)
                    .seed(request.seed())
                    .profile(request.profile())
                    .tap(bounded(drawn))
                    .run(scenario, drawn);
            String end = result.isGood() ? "As expected" : "Not as expected";
            StringBuilder text = new StringBuilder(result.outcome().toString());
            result.failures().forEach(failure -> text.append("; ").append(failure));
            drawn.caption(end, text.toString());
            sentence = end + ": " + text;
        } catch (StudioEnd e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
        return drawing;
    }

    private TracePage litmus() {
        ScenarioExploration exploration = new ScenarioExploration(request.file().scenario(), request.profile())
                .reporting(LOOK_EVERY, this::report);
        ExplorationResult findings =
                exploration.explore(bounds -> bounds.sampling(SAMPLES).atMostNanos(this::explorationNanos, mostNanos));
        int outcomes = findings.endings().size();
        if (outcomes > MOST_OUTCOMES) {
            throw new CommandFailure(
                    outcomes + " outcomes are too many to draw; name registers in allowed: to join them");
        }
        String figures = outcomes + (outcomes == 1 ? " outcome" : " outcomes") + ", "
                + findings.explored().executions() + " executions";
        if (findings.endings().isEmpty()) {
            sentence = why();
            throw new Stopped();
        }
        OutcomePage drawn = new OutcomePage(List.of(request.file()));
        drawn.add(request.file(), exploration, findings);
        boolean complete = findings.explored().isComplete();
        sentence = (findings.isGood() ? "As expected: " : "Not as expected: ")
                + figures
                + (complete ? "" : "; not all: " + findings.explored().stop());
        return drawn.page();
    }

    /** The time of an exploration, which leaps when it is to end; not at the first look, since that is its beginning. */
    private long explorationNanos() {
        boolean leaps = looked && isOver();
        looked = true;
        return clock.getAsLong() + (leaps ? 2 * mostNanos : 0);
    }

    private void report(Explored soFar) {
        sentence = (soFar.executions() + soFar.abandoned()) + " runs, "
                + soFar.outcomes().size() + " outcomes so far";
    }

    /** Runs with random choices and faults, judged by the oracle and by what the scenario allows. */
    private TracePage explore() {
        Scenario scenario = request.file().scenario();
        Long seed = request.seed();
        long first = seed == null ? 1 : seed;
        DrawnPrograms drawn = new DrawnPrograms();
        List<Long> failed = new ArrayList<>();
        long unjudged = 0;
        int runs = 0;
        ProgramResult last = null;
        while (runs < mostExplored && failed.size() < MOST_FAILURES && !isOver()) {
            last = ProgramRun.run(scenario, SeedMix.choices(first + runs), event -> {});
            unjudged += last.verdict().count(Gap.SEVERAL_VIEWS);
            if (!last.isGood()) {
                failed.add(first + runs);
                draw(drawn, last, first + runs);
            }
            runs++;
            sentence = runs + " of " + mostExplored + " runs, " + failed.size() + " failures";
        }
        if (last == null) {
            throw new Stopped();
        }
        if (failed.isEmpty()) {
            draw(drawn, last, first + runs - 1);
        }
        sentence = runs + " runs with random choices, seeds " + first + " to " + (first + runs - 1) + ", "
                + failed.size() + " failures"
                + (failed.isEmpty() ? "; the last run is drawn" : ", with the seeds " + failed + "; they are drawn")
                + (unjudged == 0 ? "" : "; not judged: " + Gap.SEVERAL_VIEWS.words());
        return drawn.page();
    }

    private void draw(DrawnPrograms drawn, ProgramResult run, long seed) {
        drawn.add(
                request.file().scenario(),
                run.choices(),
                run.failures(),
                "seed " + seed,
                "Explore with the seed " + seed + ", which is its first run then; or, with the scenario as FILE.yaml,"
                        + " ./verbatim explore FILE.yaml --seed " + seed);
    }

    private void write(TracePage drawn) throws IOException {
        Path file = directory.resolve("page-" + number + ".html");
        drawn.write(file);
        long bytes = Files.size(file);
        if (bytes > MOST_PAGE_BYTES) {
            Files.delete(file);
            throw new CommandFailure("the drawing has " + bytes + " bytes, more than " + MOST_PAGE_BYTES
                    + "; make the scenario smaller");
        }
        page = file;
    }
}
