// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.oracle.Oracle;
import dev.verbatim.conformance.scenario.ChoiceSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.run.SimulatedRun;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.StaleChoicesException;
import dev.verbatim.sim.ChoiceListener;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a program once under adversity and says what was wrong: what the oracle forbids, completions and events that were lost
 * or came twice, datagrams that were not for those who took them, programs that could not go on, things that were left behind.
 *
 * <p>All that decides about a run is the scenario and its choices, so that these two repeat it: how often links fail is
 * always the same, and the scenario says how many faults there may be.
 */
public final class ProgramRun {

    /** What links do when the scenario has faults left. */
    private static final LinkFaults FAULTS = LinkFaults.NONE
            .dropping(25)
            .duplicating(25)
            .delaying(25, 400_000)
            .reordering(40)
            .corrupting(15)
            .cutting(6, 3_000_000)
            .with(ChoicePoint.DEVICE_SILENCE, 5)
            .with(ChoicePoint.DEVICE_CRASH, 5);

    private static final int MOST_EVENTS = 200_000;
    private static final SimulationOptions OPTIONS =
            SimulationOptions.USUAL.withFaults(FAULTS).withMostEvents(MOST_EVENTS);

    private final Scenario scenario;
    private final Tap watcher;
    private final ChoiceListener listener;
    private final Oracle oracle = Oracle.ofDevicesAndPrograms();
    private final CompletionLedger ledger = new CompletionLedger();
    private final EventLedger events = new EventLedger();
    private final QueueKeyLedger queueKeys = new QueueKeyLedger();
    private final List<RunFailure> failures = new ArrayList<>();
    private long virtualNanos;

    private ProgramRun(Scenario scenario, Tap watcher, ChoiceListener listener) {
        this.scenario = scenario;
        this.watcher = watcher;
        this.listener = listener;
    }

    /** Runs it with these choices. */
    static ProgramResult run(Scenario scenario, Choices choices) {
        return run(scenario, choices, event -> {});
    }

    /** The same; {@code watcher} sees all events. */
    public static ProgramResult run(Scenario scenario, Choices choices, Tap watcher) {
        return run(scenario, choices, watcher, (point, what) -> {});
    }

    /** The same; {@code listener} receives each choice that is not the default. */
    public static ProgramResult run(Scenario scenario, Choices choices, Tap watcher, ChoiceListener listener) {
        return new ProgramRun(scenario, watcher, listener).run(choices);
    }

    /** The choice points of a run of the scenario. */
    static OpenChoices openChoices(Scenario scenario) {
        ChoiceSpec spec = scenario.choices();
        OpenChoices openChoices = spec.openChoices();
        for (ChoicePoint point : ChoicePoint.values()) {
            if (spec.on() == null
                    && point.kind() == ChoicePoint.Kind.NUMBER
                    && !spec.off().contains(point)) {
                openChoices = openChoices.with(point);
            }
        }
        return openChoices;
    }

    private ProgramResult run(Choices choices) {
        ChoiceRecord record = Choices.recorded(choices);
        Tap tap = oracle.and(ledger).and(events).and(queueKeys).and(watcher);
        Schedule schedule = Schedule.by(record, openChoices(scenario)).reporting(listener);
        try (SimulatedRun run = new SimulatedRun(scenario, schedule, OPTIONS, tap)) {
            play(run);
        } catch (StaleChoicesException e) {
            // No fault of the device's.
            throw e;
        } catch (RuntimeException | Error e) {
            failures.add(RunFailure.thrown(e));
        }
        var verdict = oracle.verdict();
        return new ProgramResult(
                verdict, failures, record.list(), record.tally(), ledger.packets(), virtualNanos, ledger.statuses());
    }

    private void play(SimulatedRun run) {
        run.play().failures().forEach(failure -> failures.add(new RunFailure(RunFailure.PROGRAM, failure.toString())));
        if (comesToRest(run)) {
            oracle.verdictAtEnd()
                    .violations()
                    .forEach(violation -> failures.add(new RunFailure(violation.rule(), violation.placed())));
            failures.addAll(ledger.compare(run.nodes()));
            failures.addAll(queueKeys.compare(run.nodes()));
            failures.addAll(events.compare(run.nodes()));
            if (failures.isEmpty()) {
                close(run);
            }
        } else {
            failures.add(new RunFailure(
                    RunFailure.ENDLESS, "more than " + MOST_EVENTS + " events happened after the programs had ended"));
        }
        virtualNanos = run.simulation().fabric().clock().nanoTime();
    }

    private static boolean comesToRest(SimulatedRun run) {
        for (int i = 0; i < MOST_EVENTS; i++) {
            if (!run.simulation().fabric().step()) {
                return true;
            }
        }
        return false;
    }

    private void close(SimulatedRun run) {
        try {
            run.nodes().forEach(NodeState::closeAll);
        } catch (VerbsException e) {
            failures.add(new RunFailure(RunFailure.LEAK, "not everything can be closed at the end: " + e.getMessage()));
            return;
        }
        List<String> left = run.simulation().underWay();
        if (!left.isEmpty()) {
            failures.add(new RunFailure(RunFailure.LEAK, "when everything is closed there is still " + left));
        }
    }
}
