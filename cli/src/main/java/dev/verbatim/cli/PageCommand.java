// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Result;
import dev.verbatim.cli.page.BadTrace;
import dev.verbatim.cli.page.PerfettoTrace;
import dev.verbatim.cli.page.ShivizLog;
import dev.verbatim.cli.page.TraceLine;
import dev.verbatim.cli.page.TraceReader;
import dev.verbatim.page.TracePage;
import java.awt.Desktop;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code page}. */
@Command(
        name = "page",
        description = {
            "Draws traces as a web page: lifelines, packets, requests, memory, keys and queues.",
            "The page is one file, which opens in any browser without a network. See docs/page.md."
        })
final class PageCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "TRACE",
            arity = "1..*",
            description = "Traces of JSON lines, as --trace FILE.jsonl writes them: a run each.")
    private List<Path> traces = List.of();

    @Option(
            names = "-o",
            paramLabel = "FILE",
            description = "The page to write. Default: the first trace's name, with .html.")
    private @Nullable Path to;

    @Option(
            names = "--together",
            description = "The traces are of one run, whose devices are in several processes: draw them as one run.")
    private boolean together;

    @Option(
            names = "--perfetto",
            paramLabel = "FILE",
            description = "Also write the trace for Perfetto (ui.perfetto.dev), in Chrome's trace format.")
    private @Nullable Path perfetto;

    @Option(
            names = "--shiviz",
            paramLabel = "FILE",
            description = {
                "Also write the trace as a log with vector clocks for ShiViz, whose regular expression is",
                ShivizLog.EXPRESSION
            })
    private @Nullable Path shiviz;

    @Mixin
    private Output output;

    @Option(names = "--open", description = "Open the page in the browser.")
    private boolean open;

    @Override
    public void run() {
        TracePage page = new TracePage(TraceReader.title(traces));
        try {
            TraceReader.read(traces, together).forEach(page::add);
            export();
        } catch (BadTrace e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
        Path file = to == null ? beside(traces.get(0)) : to;
        PageFiles.write(page, file);
        output.print(new Page(file.toString()));
        if (open) {
            open(file);
        }
    }

    private void export() {
        if (perfetto == null && shiviz == null) {
            return;
        }
        if (traces.size() > 1 && !together) {
            throw new ParameterException(
                    spec.commandLine(), "--perfetto and --shiviz take one run: name one trace, or add --together");
        }
        List<TraceLine> lines = TraceReader.together(traces);
        if (perfetto != null) {
            export(perfetto, lines, PerfettoTrace::of);
        }
        if (shiviz != null) {
            export(shiviz, lines, ShivizLog::of);
        }
    }

    /** A format that a trace is exported to. */
    @FunctionalInterface
    private interface Export {
        String of(List<TraceLine> lines) throws IOException;
    }

    private static void export(Path file, List<TraceLine> lines, Export format) {
        try {
            Files.writeString(file, format.of(lines));
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(file, e);
        }
    }

    private record Page(String file) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println(file);
        }
    }

    private static Path beside(Path trace) {
        String name = String.valueOf(trace.getFileName());
        return trace.resolveSibling(name.replaceFirst("\\.[^.]*$", "") + ".html");
    }

    private static void open(Path file) {
        try {
            if (Desktop.isDesktopSupported() && Desktop.getDesktop().isSupported(Desktop.Action.BROWSE)) {
                Desktop.getDesktop().browse(file.toUri());
                return;
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw new CommandFailure("no browser could be started (" + e.getMessage() + "); open " + file.toUri());
        } catch (NoClassDefFoundError e) {
            // A Java without java.desktop, such as that of the distribution.
        }
        throw new CommandFailure("there is no desktop to start a browser on; open " + file.toUri());
    }
}
