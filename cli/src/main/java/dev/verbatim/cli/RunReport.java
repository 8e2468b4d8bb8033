// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.sanitizer.Finding;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Tells how scenarios ended: a line for each, and what happened where that is wanted. */
final class RunReport {

    private final PrintWriter out;
    private final boolean coloured;
    private final boolean json;
    private final boolean story;
    private final ResultCount results = new ResultCount();
    private int skipped;

    RunReport(CommandLine command, boolean json, boolean story) {
        this.out = command.getOut();
        this.coloured = command.getColorScheme().ansi().enabled();
        this.json = json;
        this.story = story;
    }

    /** A run is over. */
    void ended(ScenarioFile file, List<NarratedEvent> narratedEvents, ScenarioRun.Result result) {
        results.add(result.isGood());
        if (json) {
            print(begun(file));
            if (story) {
                narratedEvents.forEach(narrated -> print(narrated.toJson()));
            }
            result.failures().forEach(failure -> print(toJson(file, failure)));
            result.notes().forEach(note -> print(toJson(file, note)));
            Map<String, Object> ending = json("outcome", file);
            ending.put("values", result.outcome().values());
            ending.put("text", result.outcome().toString());
            ending.put("asExpected", result.isGood());
            print(ending);
        } else {
            tell(file, narratedEvents, result);
        }
        out.flush();
    }

    private void tell(ScenarioFile file, List<NarratedEvent> narratedEvents, ScenarioRun.Result result) {
        Scenario scenario = file.scenario();
        ScenarioDiagram told = new ScenarioDiagram(out, coloured, scenario);
        if (story) {
            told.begin();
            told.tell(narratedEvents);
            out.println();
        }
        String ending = scenario.title() + ": " + result.outcome();
        out.println(told.verdict((result.isGood() ? "ok  " : "") + ending, result.isGood()));
        for (Failure failure : result.failures()) {
            out.println("  " + file.name() + ":" + file.markOf(failure.path()).line() + ": " + failure);
        }
        for (Finding note : result.notes()) {
            out.println("  note: " + note);
        }
    }

    static Map<String, Object> toJson(ScenarioFile file, Finding note) {
        Map<String, Object> line = json("note", file);
        line.put("mistake", note.mistake().name());
        line.put("text", note.toString());
        return line;
    }

    /** A scenario was not run. */
    void skipped(ScenarioFile file, String why) {
        skipped++;
        if (json) {
            Map<String, Object> line = json("skipped", file);
            line.put("title", file.scenario().title());
            line.put("text", why);
            print(line);
        } else {
            out.println("skipped  " + file.scenario().title() + ": " + why);
        }
        out.flush();
    }

    /** A scenario of another process: the lines that it printed of it. */
    void merged(List<Map<String, Object>> lines) {
        Map<String, Object> begun = lines.get(0);
        Map<String, Object> end = lines.get(lines.size() - 1);
        boolean isSkipped = "skipped".equals(end.get("kind"));
        boolean isGood = Boolean.TRUE.equals(end.get("asExpected"));
        if (isSkipped) {
            skipped++;
        } else {
            results.add(isGood);
        }
        if (json) {
            lines.forEach(this::print);
        } else if (isSkipped) {
            out.println("skipped  " + end.get("title") + ": " + end.get("text"));
        } else {
            Diagram diagram = new Diagram(out, coloured, Terminal.columns(), true, "", "");
            out.println(diagram.verdict((isGood ? "ok  " : "") + begun.get("title") + ": " + end.get("text"), isGood));
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
        out.flush();
    }

    /** Ctrl-C came before so many scenarios. */
    void interrupted(int notRun) {
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("kind", "interrupted");
            line.put("notRun", notRun);
            print(line);
        } else {
            out.println();
            out.println("interrupted: " + notRun + " more were not run");
        }
    }

    /** All is told; whether everything was as it should be. */
    boolean finished() {
        if (json) {
            Map<String, Object> line = results.toJson();
            line.put("skipped", skipped);
            print(line);
        } else if (results.good() + results.bad() + skipped > 1) {
            out.println();
            out.println(results.good() + " as expected, " + results.bad() + " not, " + skipped + " skipped");
        }
        out.flush();
        return results.areGood();
    }

    private static Map<String, Object> begun(ScenarioFile file) {
        Map<String, Object> line = json("scenario", file);
        line.put("title", file.scenario().title());
        line.put("rules", file.scenario().rules());
        return line;
    }

    static Map<String, Object> toJson(ScenarioFile file, Failure failure) {
        Map<String, Object> line = json("failure", file);
        line.put("line", file.markOf(failure.path()).line());
        line.put("path", failure.path());
        line.put("node", failure.node());
        line.put("step", failure.step());
        line.put("text", failure.message());
        return line;
    }

    private static Map<String, Object> json(String kind, ScenarioFile file) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", kind);
        line.put("file", file.name());
        return line;
    }

    private void print(Map<String, Object> line) {
        out.println(JsonText.of(line));
    }
}
