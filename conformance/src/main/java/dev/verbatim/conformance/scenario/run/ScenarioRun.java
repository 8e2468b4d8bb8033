// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.scenario.Forbidden;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.step.visibility.PowerFail;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.ChoiceListener;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.SeedMix;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a scenario is run, once or more often.
 *
 * @param fabric what it runs on
 * @param seed what decides in a simulation; null for canonical choices
 * @param links how links of a simulation fail besides what the scenario says
 * @param profile name of the profile of all devices; null for those that the scenario names
 * @param patience how long nothing may happen in real time before the run is given up
 * @param tap what is told what happens
 * @param sanitized whether a sanitizer watches the programs
 */
public record ScenarioRun(
        FabricKind fabric,
        @Nullable Long seed,
        LinkFaults links,
        @Nullable String profile,
        Duration patience,
        Tap tap,
        boolean sanitized) {

    /** Far more than any lesson needs; what retries for ever ends here, after a moment. */
    private static final long MOST_EVENTS = 300_000;

    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(10);

    /**
     * How a run ended.
     *
     * @param outcome what registers and words hold
     * @param failures what was not as the scenario says, and mistakes that a sanitizer found
     * @param notes what else a sanitizer found
     * @param isDiscarded whether that counts for nothing, since something that is assumed does not hold
     */
    public record Result(Outcome outcome, List<Failure> failures, List<Finding> notes, boolean isDiscarded) {

        /** Of a run that counts. */
        public Result(Outcome outcome, List<Failure> failures, List<Finding> notes) {
            this(outcome, failures, notes, false);
        }

        /** Of a run that counts for nothing. */
        static Result discarded(Outcome outcome) {
            return new Result(outcome, List.of(), List.of(), true);
        }

        /** Of a run that no sanitizer watched. */
        public Result(Outcome outcome, List<Failure> failures) {
            this(outcome, failures, List.of());
        }

        /** The same with what a sanitizer found, of which errors are failures. */
        static Result with(Outcome outcome, List<Failure> failures, List<Finding> found) {
            List<Failure> all = new ArrayList<>(failures);
            found.stream().filter(Finding::isError).map(SeenFinding::failureOf).forEach(all::add);
            return new Result(
                    outcome,
                    all,
                    found.stream().filter(finding -> !finding.isError()).toList());
        }

        /** Whether everything was as the scenario says. */
        public boolean isGood() {
            return failures.isEmpty();
        }
    }

    /** Runs on that fabric that nobody watches: canonical choices, links that do not fail. */
    public static ScenarioRun on(FabricKind fabric) {
        return new ScenarioRun(fabric, null, LinkFaults.NONE, null, USUAL_PATIENCE, event -> {}, false);
    }

    /** The same with choices drawn from a seed. */
    public ScenarioRun seed(@Nullable Long value) {
        return new ScenarioRun(fabric, value, links, profile, patience, tap, sanitized);
    }

    /** The same with links that fail. */
    ScenarioRun links(LinkFaults value) {
        return new ScenarioRun(fabric, seed, value, profile, patience, tap, sanitized);
    }

    /** The same with another profile. */
    public ScenarioRun profile(@Nullable String value) {
        return new ScenarioRun(fabric, seed, links, value, patience, tap, sanitized);
    }

    /** The same, but that it is given up sooner or later. */
    ScenarioRun patience(Duration value) {
        return new ScenarioRun(fabric, seed, links, profile, value, tap, sanitized);
    }

    /** The same watched by {@code value}. */
    public ScenarioRun tap(Tap value) {
        return new ScenarioRun(fabric, seed, links, profile, patience, value, sanitized);
    }

    /** The same watched by a sanitizer, whose errors are failures; simulations only, where loads and stores of programs are seen. */
    public ScenarioRun sanitize(boolean value) {
        return new ScenarioRun(fabric, seed, links, profile, patience, tap, value);
    }

    /** Why the fabric cannot do what the scenario asks of it; null if it can. */
    public @Nullable String obstacle(Scenario scenario) {
        boolean canFail = fabric == FabricKind.SIM || (fabric == FabricKind.ROCE && !crashes(scenario));
        if (scenario.needsFaults() && !canFail) {
            return crashes(scenario)
                    ? "a device crashes in it, which needs --fabric sim"
                    : "its faults need --fabric sim or roce";
        }
        boolean hasThreads = scenario.nodes().values().stream()
                .anyMatch(node -> !node.threads().isEmpty());
        if (fabric != FabricKind.SIM && hasThreads) {
            return "a node has several threads, which need --fabric sim";
        }
        if (fabric == FabricKind.ROCE && saysWays(scenario)) {
            return "sockets do not show the traffic class, flow label and hop limit that its address handles have";
        }
        boolean toItself = scenario.connections().stream()
                .anyMatch(connection -> connection
                        .ends()
                        .get(0)
                        .node()
                        .equals(connection.ends().get(1).node()));
        return fabric == FabricKind.TCP && toItself ? "over tcp a device does not reach itself" : null;
    }

    private static boolean saysWays(Scenario scenario) {
        return scenario.nodes().values().stream()
                .flatMap(node -> node.ahs().values().stream())
                .anyMatch(AhSpec::hasOwnWay);
    }

    /** Only a simulation buries a device. */
    private static boolean crashes(Scenario scenario) {
        return scenario.faults().stream().anyMatch(fault -> fault.kind() == PacketFault.Kind.CRASH)
                || scenario.nodes().values().stream()
                        .flatMap(node -> node.steps().stream())
                        .anyMatch(PowerFail.class::isInstance);
    }

    /** Runs the scenario from its beginning to its end. */
    public Result run(Scenario scenario) {
        return run(scenario, RunObserver.NONE);
    }

    /** When the programs of a run begin and end; what happens before and after only makes and closes things. */
    public interface RunObserver {

        /** Ignores the result. */
        RunObserver NONE = new RunObserver() {
            @Override
            public void begins(Map<Long, String> names) {}

            @Override
            public void ends() {}
        };

        /**
         * Everything is made and connected, and the programs are about to begin.
         *
         * @param names of what begins at an address: words, regions, and numbers that stand in the programs
         */
        void begins(Map<Long, String> names);

        /** The programs have ended. */
        void ends();

        /** A choice was made that is not the default; see {@link ChoiceListener}. */
        default void chosen(ChoicePoint point, Supplier<String> what) {}

        /** Tells this observer, and then another. */
        default RunObserver with(RunObserver other) {
            RunObserver first = this;
            return new RunObserver() {
                @Override
                public void begins(Map<Long, String> names) {
                    first.begins(names);
                    other.begins(names);
                }

                @Override
                public void ends() {
                    first.ends();
                    other.ends();
                }

                @Override
                public void chosen(ChoicePoint point, Supplier<String> what) {
                    first.chosen(point, what);
                    other.chosen(point, what);
                }
            };
        }
    }

    /** The same; tells {@code observer} when the programs begin and end. */
    public Result run(Scenario scenario, RunObserver observer) {
        Sanitizer sanitizer = Sanitizer.withSites();
        try (FabricRunner runner = runner(scenario, observer, sanitizer)) {
            PreparedNodes prepared;
            try {
                prepared = new PreparedNodes(new ScenarioPlan(scenario, profile), runner);
            } catch (VerbsException e) {
                return new Result(
                        new Outcome(Map.of()),
                        List.of(new Failure("", "", "the setup", String.valueOf(e.getMessage()))));
            }
            prepared.play(runner, observer);
            List<Failure> failures = new ArrayList<>(prepared.failures());
            Outcome outcome = prepared.outcome();
            if (prepared.isDiscarded()) {
                return Result.discarded(outcome);
            }
            if (failures.isEmpty()) {
                judge(scenario, outcome, failures);
                judgeCanonical(scenario, outcome, failures);
            }
            return Result.with(outcome, failures, sanitizer.findings());
        }
    }

    private FabricRunner runner(Scenario scenario, RunObserver observer, Sanitizer sanitizer) {
        return switch (fabric) {
            case IN_PROCESS ->
                ThreadedRunner.inProcess(Verbatim.over(new InProcessFabric()).tap(tap), tap, patience.toNanos());
            case SIM -> simulated(scenario, observer, sanitizer);
            case TCP -> new TcpRunner(tap, patience.toNanos());
            case ROCE -> new RoceRunner(tap, patience.toNanos());
        };
    }

    /** A seed draws whatever the scenario leaves open, faults too; links that are said to fail do so without a bound. */
    private FabricRunner simulated(Scenario scenario, RunObserver observer, Sanitizer sanitizer) {
        boolean failing = !links.equals(LinkFaults.NONE);
        OpenChoices open = seed == null ? OpenChoices.NONE : scenario.choices().openChoices();
        OpenChoices openChoices = failing && seed != null ? open.withFaults(OpenChoices.UNBOUNDED) : open;
        Choices choices = seed == null ? Choices.canonical() : SeedMix.choices(seed);
        SimRunner runner = new SimRunner(
                Schedule.by(choices, openChoices).reporting(observer::chosen),
                SimulationOptions.USUAL
                        .withFaults(failing ? links : OpenFaults.drawn(openChoices))
                        .withMostEvents(MOST_EVENTS),
                tap);
        if (sanitized) {
            runner.simulation().inspect(sanitizer.inspector());
        }
        return runner;
    }

    /** Compares an outcome with what the scenario allows and forbids. */
    static void judge(Scenario scenario, Outcome outcome, List<Failure> failures) {
        List<OutcomePattern> allowed = scenario.allowed();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(pattern -> pattern.matches(outcome))) {
            failures.add(new Failure(
                    "",
                    "allowed",
                    "the outcome",
                    outcome + " is not allowed; allowed: "
                            + allowed.stream().map(OutcomePattern::toString).collect(Collectors.joining(" or "))));
        }
        for (int i = 0; i < scenario.forbidden().size(); i++) {
            Forbidden forbidden = scenario.forbidden().get(i);
            if (forbidden.outcome().matches(outcome)) {
                failures.add(new Failure(
                        "",
                        "forbidden[" + i + "]",
                        "the outcome",
                        outcome + " is forbidden by " + forbidden.rule() + ": " + statement(forbidden.rule())));
            }
        }
    }

    /** Without a seed a simulation makes the default choices. */
    private void judgeCanonical(Scenario scenario, Outcome outcome, List<Failure> failures) {
        OutcomePattern canonical = scenario.canonical();
        boolean isCanonical = fabric == FabricKind.SIM && seed == null && links.equals(LinkFaults.NONE);
        if (isCanonical && canonical != null && !canonical.matches(outcome)) {
            failures.add(new Failure("", "canonical", "the outcome", outcome + " is not the canonical " + canonical));
        }
    }

    private static String statement(String rule) {
        return Rule.find(rule).map(Rule::statement).orElse("no such rule");
    }
}
