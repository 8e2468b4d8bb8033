// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import dev.verbatim.conformance.explore.FoldedTrace;
import dev.verbatim.conformance.explore.ProgramRun;
import dev.verbatim.conformance.explore.RunFailure;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.Choices;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.TracePage;
import java.util.List;

/** Runs random programs again, for a page. */
public final class DrawnPrograms {

    private final TracePage page = new TracePage("Random programs");

    /** Draws on a page without runs. */
    public DrawnPrograms() {}

    /** Adds the run of the program with these choices. */
    public void add(Scenario program, ChoiceList choices, List<RunFailure> failures) {
        RunRecorder run = new RunRecorder();
        run.title(program.title());
        run.opening(program.title(), program.about());
        FoldedTrace events = new FoldedTrace();
        ProgramRun.run(program, Choices.replayed(choices), events, (point, what) -> events.choice(point, what.get()));
        events.drawOn(run);
        failures.forEach(failure -> run.caption("Wrong: " + failure.kind(), failure.toString()));
        page.add(run);
    }

    /** The page with all runs so far. */
    public TracePage page() {
        return page;
    }
}
