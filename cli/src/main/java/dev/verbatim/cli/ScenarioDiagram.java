// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Terminal;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.conformance.scenario.Scenario;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Tells a person what happened in a scenario: a drawing where there are two nodes, a list where there are others. */
final class ScenarioDiagram {

    private static final Set<NarratedEvent.Kind> BEHIND_THE_SCENES =
            EnumSet.of(NarratedEvent.Kind.KEY, NarratedEvent.Kind.DECIDED, NarratedEvent.Kind.RECEIVED);

    private final PrintWriter out;
    private final Scenario scenario;
    private final Diagram diagram;

    ScenarioDiagram(PrintWriter out, boolean coloured, Scenario scenario) {
        List<String> nodes = List.copyOf(scenario.nodes().keySet());
        this.out = out;
        this.scenario = scenario;
        this.diagram = new Diagram(out, coloured, Terminal.columns(), true, nodes.get(0), nodes.get(nodes.size() - 1));
    }

    /** Its title, and what it is about. */
    void begin() {
        diagram.title(scenario.title());
        if (!scenario.about().isEmpty()) {
            diagram.prose(scenario.about());
        }
        out.println();
    }

    /** What happened. */
    void tell(List<NarratedEvent> narratedEvents) {
        if (scenario.nodes().size() == 2) {
            diagram.draw(narratedEvents);
            return;
        }
        for (NarratedEvent narrated : narratedEvents) {
            if (!BEHIND_THE_SCENES.contains(narrated.kind())) {
                String why = narrated.explanation() == null ? "" : ": " + narrated.explanation();
                diagram.prose("  " + narrated.side() + "  " + narrated.kind().verb() + "  " + narrated.text() + why);
            }
        }
    }

    /** Sentences for people. */
    void explain(String sentences) {
        diagram.prose(sentences);
    }

    /** A sentence on how something ended, marked if it should have ended otherwise. */
    String verdict(String sentence, boolean asExpected) {
        return diagram.verdict(sentence, asExpected);
    }
}
