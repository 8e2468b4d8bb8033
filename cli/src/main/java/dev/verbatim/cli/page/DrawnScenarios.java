// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.TracePage;
import dev.verbatim.sim.ChoiceListener;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.Map;
import java.util.function.Supplier;

/** Records runs of scenarios, one after the other, for a page. Any thread. */
public final class DrawnScenarios implements Tap, ScenarioRun.RunObserver, ChoiceListener {

    private static final String SETUP =
            "Everything that the scenario names is made, and the queue pairs are connected.";

    private final TracePage page;
    private Scenario scenario;
    private RunRecorder run = new RunRecorder();

    /** Draws on that page; the scenario is that of the first run. */
    public DrawnScenarios(TracePage page, Scenario scenario) {
        this.page = page;
        this.scenario = scenario;
    }

    /** What happens from now on is another run, with that title. */
    public synchronized void begin(Scenario next, String title) {
        scenario = next;
        run = new RunRecorder();
        run.title(title);
        run.caption("Setup", SETUP);
        page.add(run);
    }

    @Override
    public synchronized void on(TraceEvent event) {
        run.on(event);
    }

    @Override
    public synchronized void begins(Map<Long, String> names) {
        run.names(names);
        run.opening(scenario.title(), scenario.about());
    }

    @Override
    public synchronized void ends() {
        run.caption("The programs have ended", "What follows closes what was made.");
    }

    @Override
    public synchronized void chosen(ChoicePoint point, Supplier<String> what) {
        run.choice(point, what.get());
    }

    /** Adds a caption to the run, such as how it ended. */
    public synchronized void caption(String heading, String text) {
        run.caption(heading, text);
    }
}
