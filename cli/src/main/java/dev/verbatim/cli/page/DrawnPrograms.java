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

    /**
     * Adds the run of the program with these choices.
     *
     * @param name what tells it from other runs of the program, such as its seed; empty if nothing is needed
     * @param again the command that makes this run again
     */
    public void add(Scenario program, ChoiceList choices, List<RunFailure> failures, String name, String again) {
        RunRecorder run = new RunRecorder();
        String title = name.isEmpty() ? program.title() : program.title() + ", " + name;
        run.title(title);
        run.opening(title, program.about());
        run.caption("This run again", again);
        FoldedTrace events = new FoldedTrace();
        ProgramRun.run(program, Choices.replayed(choices), events, (point, what) -> events.choice(point, what.get()));
        events.drawOn(run);
        failures.forEach(failure -> run.caption("Wrong: " + failure.kind(), failure.sentence()));
        page.add(run);
    }

    /** The page with all runs so far. */
    public TracePage page() {
        return page;
    }
}
