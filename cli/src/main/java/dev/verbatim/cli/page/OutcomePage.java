// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import dev.verbatim.conformance.scenario.Forbidden;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ExplorationResult.Ending;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.page.TracePage;
import dev.verbatim.sim.Explored;
import java.util.List;

/** The page of an exploration: a table of all outcomes, with one drawn execution for each. */
public final class OutcomePage {

    private final TracePage page;
    private final DrawnScenarios drawn;
    private final boolean several;
    private String figures = "";

    /** The page of explorations of these scenarios. */
    public OutcomePage(List<ScenarioFile> scenarios) {
        Scenario first = scenarios.get(0).scenario();
        several = scenarios.size() > 1;
        page = new TracePage(several ? scenarios.size() + " scenarios" : first.title())
                .about(several ? "" : first.about());
        drawn = new DrawnScenarios(page, first);
    }

    /** Runs an example of each outcome again. */
    public void add(ScenarioFile file, ScenarioExploration exploration, ExplorationResult findings) {
        Scenario scenario = file.scenario();
        String name = several ? file.name() + ": " : "";
        for (Ending ending : findings.endings()) {
            drawn.begin(scenario, name + ending.outcome());
            exploration.replay(ending.example(), drawn, drawn);
            ending.failures().stream().map(Failure::toString).forEach(text -> drawn.caption("Not as expected", text));
            String says = scenario.allowed().isEmpty() ? "seen" : "allowed";
            page.outcome(
                    name + ending.outcome(),
                    ending.isAllowed() ? says : "NOT allowed",
                    !ending.isAllowed(),
                    ending.count());
        }
        Explored explored = findings.explored();
        for (Outcome missing : findings.missing()) {
            String says = explored.isComplete() ? "allowed, but does not occur" : "allowed, but not seen so far";
            page.absent(name + missing, says, explored.isComplete(), "");
        }
        for (Forbidden forbidden : findings.neverSeen()) {
            page.absent(name + forbidden.outcome(), "forbidden, does not occur", false, forbidden.rule());
        }
        figures += (figures.isEmpty() ? "" : " ") + name + explored.executions() + " executions, "
                + (explored.isComplete()
                        ? "all there are up to the order of independent events."
                        : "not all: " + explored.stop() + ".");
        page.figures(figures);
    }

    /** The page with all outcomes so far. */
    public TracePage page() {
        return page;
    }
}
