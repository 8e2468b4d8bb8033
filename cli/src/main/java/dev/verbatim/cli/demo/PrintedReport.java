// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Terminal;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.sanitizer.Finding;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Prints the demo: numbered steps, each with a drawing and what came of it. */
public final class PrintedReport implements DemoReport {

    private final Output output;
    private final boolean bothSides;
    private final int columns;

    /**
     * Prints there.
     *
     * @param bothSides see {@link Diagram}
     */
    public PrintedReport(Output output, boolean bothSides) {
        this(output, bothSides, Terminal.columns());
    }

    /** So many columns wide. */
    PrintedReport(Output output, boolean bothSides, int columns) {
        this.output = output;
        this.bothSides = bothSides;
        this.columns = columns;
    }

    private record StepLine(int step, String text) implements Line {}

    private record FailureLine(String mistake, String text) implements Line {}

    private record NoteLine(String mistake, String text) implements Line {}

    private record ResultLine(boolean asExpected) implements Line {}

    private record ListeningLine(String host, int port) implements Line {}

    private Diagram diagram(PrintWriter out) {
        return new Diagram(out, output.isColoured(), columns, bothSides);
    }

    @Override
    public void listening(InetSocketAddress address, String arguments) {
        Line line = new ListeningLine(address.getAddress().getHostAddress(), address.getPort());
        output.print(List.of(line), out -> {
            String called = System.getProperty("verbatim.command", "verbatim");
            out.println("Listening at " + HostAndPort.of(address) + ". In another terminal:");
            out.println();
            out.println("    " + called + " connect " + HostAndPort.of(address) + arguments);
            out.println();
        });
    }

    @Override
    public void connected(String how, List<SideDescription> sides, List<NarratedEvent> narratedEvents) {
        List<Object> lines = new ArrayList<>(List.of(new StepLine(0, DemoScript.CONNECTING)));
        narratedEvents.forEach(narrated -> lines.add(narrated.toJson()));
        sides.forEach(side -> lines.add(side.line()));
        output.print(lines, out -> {
            Diagram diagram = diagram(out);
            diagram.prose("Two RDMA devices, " + how + ".");
            if (!sides.isEmpty()) {
                out.println();
            }
            sides.forEach(side -> diagram.prose("  " + side));
            out.println();
            diagram.title("0  " + DemoScript.CONNECTING);
            out.println();
            diagram.draw(narratedEvents);
        });
    }

    @Override
    public void begun(DemoStep step) {
        output.print(List.of(new StepLine(step.number(), step.title())), out -> {
            out.println();
            diagram(out).title(step.number() + "  " + step.title());
            out.println();
        });
    }

    @Override
    public void ended(DemoStep step, List<NarratedEvent> narratedEvents, List<StepOutcome> outcomes) {
        List<Object> lines = new ArrayList<>();
        narratedEvents.forEach(narrated -> lines.add(narrated.toJson()));
        outcomes.forEach(outcome -> lines.add(outcome.line(step)));
        output.print(lines, out -> {
            Diagram diagram = diagram(out);
            diagram.draw(narratedEvents);
            for (StepOutcome outcome : outcomes) {
                String sentence = outcome.side() + ": " + String.join("; ", outcome.observed());
                diagram.ending("  ", sentence, outcome.asExpected());
            }
        });
    }

    @Override
    public void found(List<Finding> findings) {
        List<Line> lines = findings.stream().map(PrintedReport::line).toList();
        output.print(lines, out -> {
            Diagram diagram = diagram(out);
            out.println();
            findings.forEach(finding ->
                    diagram.ending("", (finding.isError() ? "sanitizer: " : "note: ") + finding, !finding.isError()));
            if (findings.isEmpty()) {
                diagram.prose("The sanitizer found nothing.");
            }
        });
    }

    private static Line line(Finding finding) {
        String mistake = finding.mistake().name();
        return finding.isError()
                ? new FailureLine(mistake, finding.toString())
                : new NoteLine(mistake, finding.toString());
    }

    @Override
    public void finished(DemoEnding ending) {
        output.print(List.of(new ResultLine(ending.isGood())), out -> {
            out.println();
            diagram(out).ending("", ending.sentence(), ending.isGood());
        });
    }
}
