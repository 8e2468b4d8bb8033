// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.demo.DemoReport;
import dev.verbatim.cli.demo.JsonReport;
import dev.verbatim.cli.demo.TextReport;
import dev.verbatim.conformance.narration.Diagram;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How a command tells what happened. */
final class ReportOptions {

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    /** Whether it is told to programs. */
    boolean json() {
        return json;
    }

    /** A report on the command's standard output; see {@link Diagram} for {@code bothSides}. */
    DemoReport report(CommandLine command, boolean bothSides) {
        PrintWriter out = command.getOut();
        if (json) {
            return new JsonReport(out);
        }
        boolean coloured = command.getColorScheme().ansi().enabled();
        return new TextReport(out, new Diagram(out, coloured, Terminal.columns(), bothSides));
    }
}
