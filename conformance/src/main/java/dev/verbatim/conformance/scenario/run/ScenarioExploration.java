// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Clock;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Checkpoint;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.ExplorationThreads;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.trace.Tap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs a scenario in every way that its choices permit. */
public final class ScenarioExploration {

    /** How all runs end that count for nothing. */
    private static final String DISCARDED = "discarded";

    private final Scenario scenario;
    private final OpenChoices openChoices;
    private final @Nullable String profile;
    private final ScenarioPlan plan;
    private final SimulationOptions options;
    private boolean isSanitized;
    private @Nullable Checkpoint checkpoint;
    private long period = Long.MAX_VALUE;
    private Consumer<Explored> observer = soFar -> {};
    private @Nullable ExplorationThreads workers;

    /**
     * Explores what the choices of the scenario leave open.
     *
     * @param profile name of the profile of all devices; null for those that the scenario names
     */
    public ScenarioExploration(Scenario scenario, @Nullable String profile) {
        this(scenario, profile, scenario.choices().openChoices());
    }

    private ScenarioExploration(Scenario scenario, @Nullable String profile, OpenChoices openChoices) {
        this.scenario = scenario;
        this.openChoices = openChoices;
        this.profile = profile;
        this.plan = new ScenarioPlan(scenario, profile);
        this.options = SimulationOptions.TIMELESS.withFaults(OpenFaults.possible(openChoices));
    }

    /** The same scenario and profile, with other choice points on, and without a sanitizer. */
    ScenarioExploration under(OpenChoices other) {
        return new ScenarioExploration(scenario, profile, other).sharedAmong(workers);
    }

    /** The same where memory has at once what CPUs store. */
    ScenarioExploration onSequentialCpus() {
        return new ScenarioExploration(scenario.onSequentialCpus(), profile, openChoices).sharedAmong(workers);
    }

    /** Whether the CPU of some node has store buffers. */
    boolean hasStoreBuffers() {
        return scenario.hasStoreBuffers();
    }

    /** What is left open. */
    OpenChoices openChoices() {
        return openChoices;
    }

    /** Has a sanitizer watch each run. */
    public ScenarioExploration sanitize(boolean value) {
        isSanitized = value;
        return this;
    }

    /** Tells {@code value} after every so many runs what was found so far, with one outcome for all executions that ended alike. */
    public ScenarioExploration reporting(long everyExecutions, Consumer<Explored> value) {
        period = everyExecutions;
        observer = value;
        return this;
    }

    /** Has these threads make some of the runs, if there are any; the result is the same. */
    public ScenarioExploration sharedAmong(@Nullable ExplorationThreads value) {
        workers = value;
        return this;
    }

    /** Goes on where another exploration of the same scenario was. */
    public ScenarioExploration goingOn(Checkpoint value) {
        checkpoint = value;
        return this;
    }

    /**
     * Runs in every way.
     *
     * @param bounds what else to say to the exploration, such as when to stop
     */
    public ExplorationResult explore(UnaryOperator<Exploration> bounds) {
        TreeMap<String, ScenarioRun.Result> results = new TreeMap<>();
        Integer steps = scenario.choices().steps();
        Exploration exploration = new Exploration(openChoices);
        if (steps != null) {
            exploration.atMostEvents(steps);
        }
        FoundByExploration found = new FoundByExploration();
        if (checkpoint != null) {
            exploration.goingOn(checkpoint);
            restore(checkpoint.found().outcomes(), results, found);
            restore(checkpoint.found().sampled(), results, found);
        }
        exploration.reporting(period, soFar -> observer.accept(found.without(soFar.without(DISCARDED))));
        Explored explored = bounds.apply(exploration)
                .run(
                        schedule -> {
                            ScenarioRun.Result result = run(schedule, null, ScenarioRun.RunObserver.NONE);
                            if (result.isDiscarded()) {
                                return () -> DISCARDED;
                            }
                            String text = textOf(result);
                            return () -> {
                                results.putIfAbsent(text, result);
                                return found.add(text, result);
                            };
                        },
                        workers);
        Explored.Outcome discarded = explored.outcomes().get(DISCARDED);
        Explored counted = explored.without(DISCARDED);
        Explored ended = found.without(counted);
        // Runs in orders that are not permitted were asked how they ended as well.
        results.keySet()
                .removeIf(text ->
                        !ended.outcomes().containsKey(text) && !ended.sampled().containsKey(text));
        return new ExplorationResult(
                scenario, ended, results, found.seen(counted), discarded == null ? 0 : discarded.count());
    }

    /** Makes an execution of each outcome again, since a checkpoint has their choices only. */
    private void restore(
            Map<String, Explored.Outcome> outcomes, Map<String, ScenarioRun.Result> results, FoundByExploration found) {
        outcomes.forEach((key, outcome) -> {
            if (key.equals(DISCARDED)) {
                return;
            }
            ScenarioRun.Result result = run(
                    Schedule.by(Choices.replayed(outcome.example()), openChoices), null, ScenarioRun.RunObserver.NONE);
            results.putIfAbsent(textOf(result), result);
            String now = found.add(textOf(result), result);
            if (!now.equals(key)) {
                throw new IllegalArgumentException(
                        "the checkpoint is of another program: the execution " + outcome.example() + " ended as " + key
                                + ", and ends as " + now + "; explore from the beginning");
            }
        });
    }

    /**
     * Whether a run may end like that. Explores until one does.
     *
     * @param mostNanos how long at most
     * @return null if that was not long enough
     */
    public @Nullable Boolean permits(OutcomePattern outcome, Clock clock, long mostNanos) {
        boolean[] isSeen = new boolean[1];
        Exploration exploration = new Exploration(openChoices);
        Integer steps = scenario.choices().steps();
        if (steps != null) {
            exploration.atMostEvents(steps);
        }
        // Its time is over as soon as the question is answered.
        Explored explored = exploration
                .atMostNanos(() -> isSeen[0] ? Long.MAX_VALUE : clock.nanoTime(), mostNanos)
                .run(schedule -> {
                    ScenarioRun.Result result = run(schedule, null, ScenarioRun.RunObserver.NONE);
                    isSeen[0] |= !result.isDiscarded() && outcome.matches(result.outcome());
                    return textOf(result);
                });
        if (isSeen[0]) {
            return true;
        }
        return explored.isComplete() ? false : null;
    }

    /** Runs once, with these choices, and shows what happens. */
    public ScenarioRun.Result replay(ChoiceList choices, Tap tap, ScenarioRun.RunObserver observer) {
        ScenarioRun.Result result =
                run(Schedule.by(Choices.replayed(choices), openChoices).reporting(observer::chosen), tap, observer);
        List<Failure> failures = new ArrayList<>(result.failures());
        if (failures.isEmpty() && !result.isDiscarded()) {
            ScenarioRun.judge(scenario, result.outcome(), failures);
        }
        return ScenarioRun.Result.with(result.outcome(), failures, result.notes());
    }

    /** What a sanitizer found is in the notes, errors too. */
    private ScenarioRun.Result run(Schedule schedule, @Nullable Tap tap, ScenarioRun.RunObserver observer) {
        Sanitizer sanitizer = isSanitized ? Sanitizer.withoutSites() : null;
        try (SimRunner runner = new SimRunner(schedule, options, tap)) {
            if (sanitizer != null) {
                runner.simulation().inspect(sanitizer.inspector());
            }
            PreparedNodes prepared = new PreparedNodes(plan, runner);
            prepared.play(runner, observer);
            if (prepared.isDiscarded()) {
                return ScenarioRun.Result.discarded(prepared.outcome());
            }
            List<Failure> failures = new ArrayList<>(prepared.failures());
            return new ScenarioRun.Result(
                    prepared.outcome(), failures, sanitizer == null ? List.of() : sanitizer.findings());
        }
    }

    /** What distinguishes runs: how they end, and what programs noticed. */
    private static String textOf(ScenarioRun.Result result) {
        Outcome outcome = result.outcome();
        return result.isGood()
                ? outcome.toString()
                : outcome + " but " + result.failures().get(0);
    }
}
