// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Result;
import dev.verbatim.cli.output.Terminal;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.sanitizer.Finding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells how scenarios ended: a line for each, and what happened where that is wanted. */
final class RunReport {

    private final Output output;
    private final boolean story;
    private final ResultCount results = new ResultCount();
    private int skipped;

    RunReport(Output output, boolean story) {
        this.output = output;
        this.story = story;
    }

    private record ScenarioLine(String file, String title, List<String> rules) implements Line {}

    private record OutcomeLine(String file, Map<String, String> values, String text, boolean asExpected)
            implements Line {}

    /** What a scenario or a sanitizer found wrong; {@code values} and {@code choices} of an exploration are those of a run that has it. */
    private record FailureLine(
            String file,
            int line,
            String path,
            String node,
            String step,
            String text,
            @Nullable Map<String, String> values,
            @Nullable String choices)
            implements Line {}

    private record NoteLine(
            String file,
            String mistake,
            String text,
            @Nullable Map<String, String> values,
            @Nullable String choices) implements Line {}

    private record Skipped(String file, String title, String text) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println("skipped  " + title + ": " + text);
        }
    }

    private record Interrupted(int notRun) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println();
            out.println("interrupted: " + notRun + " more were not run");
        }
    }

    /** A run is over. */
    void ended(ScenarioFile file, List<NarratedEvent> narratedEvents, ScenarioRun.Result result) {
        results.add(result.isGood());
        List<Object> lines = new ArrayList<>();
        lines.add(new ScenarioLine(
                file.name(), file.scenario().title(), file.scenario().rules()));
        if (story) {
            narratedEvents.forEach(narrated -> lines.add(narrated.toJson()));
        }
        result.failures().forEach(failure -> lines.add(line(file, failure, null, null)));
        result.notes().forEach(note -> lines.add(line(file, note, null, null)));
        lines.add(new OutcomeLine(
                file.name(), result.outcome().values(), result.outcome().toString(), result.isGood()));
        output.print(lines, out -> tell(out, file, narratedEvents, result));
    }

    private void tell(
            PrintWriter out, ScenarioFile file, List<NarratedEvent> narratedEvents, ScenarioRun.Result result) {
        ScenarioDiagram told = new ScenarioDiagram(out, output.isColoured(), file.scenario());
        if (story) {
            told.begin();
            told.tell(narratedEvents);
            out.println();
        }
        String ending = file.scenario().title() + ": " + result.outcome();
        out.println(told.verdict((result.isGood() ? "ok  " : "") + ending, result.isGood()));
        result.failures().forEach(failure -> out.println("  " + at(file, failure)));
        result.notes().forEach(note -> out.println("  note: " + note));
    }

    /** Where something went wrong, and what. */
    static String at(ScenarioFile file, Failure failure) {
        return file.name() + ":" + file.markOf(failure.path()).line() + ": " + failure;
    }

    /** A scenario was not run. */
    void skipped(ScenarioFile file, String why) {
        skipped++;
        output.print(new Skipped(file.name(), file.scenario().title(), why));
    }

    /** A scenario of another process: the lines that it printed of it. */
    void merged(List<Map<String, Object>> lines) {
        Map<String, Object> end = lines.get(lines.size() - 1);
        if ("skipped".equals(end.get("kind"))) {
            skipped++;
        } else {
            results.add(Boolean.TRUE.equals(end.get("asExpected")));
        }
        output.print(lines, out -> tellMerged(out, lines, end));
    }

    private void tellMerged(PrintWriter out, List<Map<String, Object>> lines, Map<String, Object> end) {
        if ("skipped".equals(end.get("kind"))) {
            new Skipped("", String.valueOf(end.get("title")), String.valueOf(end.get("text"))).text(out);
            return;
        }
        boolean isGood = Boolean.TRUE.equals(end.get("asExpected"));
        Diagram diagram = new Diagram(out, output.isColoured(), Terminal.columns(), true, "", "");
        String ending = lines.get(0).get("title") + ": " + end.get("text");
        out.println(diagram.verdict((isGood ? "ok  " : "") + ending, isGood));
        for (Map<String, Object> line : lines) {
            if ("failure".equals(line.get("kind"))) {
                Failure failure = new Failure(
                        String.valueOf(line.get("node")),
                        String.valueOf(line.get("path")),
                        String.valueOf(line.get("step")),
                        String.valueOf(line.get("text")));
                out.println("  " + line.get("file") + ":" + line.get("line") + ": " + failure);
            } else if ("note".equals(line.get("kind"))) {
                out.println("  note: " + line.get("text"));
            }
        }
    }

    /** Ctrl-C came before so many scenarios. */
    void interrupted(int notRun) {
        output.print(new Interrupted(notRun));
    }

    /** All is told; whether everything was as it should be. */
    boolean finished() {
        output.print(List.of(results.line(skipped)), out -> {
            if (results.good() + results.bad() + skipped > 1) {
                out.println();
                out.println(results.good() + " as expected, " + results.bad() + " not, " + skipped + " skipped");
            }
        });
        return results.areGood();
    }

    /**
     * A failure as a line.
     *
     * @param values the outcome of an execution that has it; null for none
     * @param choices those of the same execution
     */
    static Line line(
            ScenarioFile file, Failure failure, @Nullable Map<String, String> values, @Nullable String choices) {
        return new FailureLine(
                file.name(),
                file.markOf(failure.path()).line(),
                failure.path(),
                failure.node(),
                failure.step(),
                failure.message(),
                values,
                choices);
    }

    /** The same of what is no error. */
    static Line line(ScenarioFile file, Finding note, @Nullable Map<String, String> values, @Nullable String choices) {
        return new NoteLine(file.name(), note.mistake().name(), note.toString(), values, choices);
    }
}
