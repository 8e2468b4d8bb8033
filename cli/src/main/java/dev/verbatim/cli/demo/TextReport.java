// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.sanitizer.Finding;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.List;

/** Tells a reader: numbered steps, each with a drawing and what came of it. */
public final class TextReport implements DemoReport {

    private final PrintWriter out;
    private final Diagram diagram;

    /**
     * Reports on {@code out}.
     *
     * @param diagram draws on the same
     */
    public TextReport(PrintWriter out, Diagram diagram) {
        this.out = out;
        this.diagram = diagram;
    }

    @Override
    public void listening(InetSocketAddress address, String arguments) {
        out.println("Listening at " + HostAndPort.of(address) + ". In another terminal:");
        out.println();
        out.println("    " + System.getProperty("verbatim.command", "verbatim") + " connect " + HostAndPort.of(address)
                + arguments);
        out.println();
        out.flush();
    }

    @Override
    public void connected(String how, List<SideDescription> sides, List<NarratedEvent> narratedEvents) {
        diagram.prose("Two RDMA devices, " + how + ".");
        if (!sides.isEmpty()) {
            out.println();
        }
        sides.forEach(side -> diagram.prose("  " + side));
        out.println();
        diagram.title("0  " + DemoScript.CONNECTING);
        out.println();
        diagram.draw(narratedEvents);
        out.flush();
    }

    @Override
    public void begun(DemoStep step) {
        out.println();
        diagram.title(step.number() + "  " + step.title());
        out.println();
        out.flush();
    }

    @Override
    public void ended(DemoStep step, List<NarratedEvent> narratedEvents, List<StepOutcome> outcomes) {
        diagram.draw(narratedEvents);
        for (StepOutcome outcome : outcomes) {
            String sentence = outcome.side() + ": " + String.join("; ", outcome.observed());
            diagram.ending("  ", sentence, outcome.asExpected());
        }
        out.flush();
    }

    @Override
    public void found(List<Finding> findings) {
        out.println();
        findings.forEach(finding ->
                diagram.ending("", (finding.isError() ? "sanitizer: " : "note: ") + finding, !finding.isError()));
        if (findings.isEmpty()) {
            diagram.prose("The sanitizer found nothing.");
        }
        out.flush();
    }

    @Override
    public void finished(DemoEnding ending) {
        out.println();
        diagram.ending("", ending.sentence(), ending.isGood());
        out.flush();
    }
}
