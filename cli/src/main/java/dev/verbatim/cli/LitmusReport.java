// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.rules.RuleCatalogue;
import dev.verbatim.conformance.scenario.Forbidden;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ExplorationResult.Ending;
import dev.verbatim.conformance.scenario.run.Robustness;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.conformance.scenario.run.SeenFinding;
import dev.verbatim.sim.Explored;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Tells which outcomes explorations found. */
final class LitmusReport {

    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter out;
    private final boolean coloured;
    private final boolean json;
    private final boolean story;
    private final @Nullable HerdReport herd;
    private final RuleCatalogue rules = RuleCatalogue.load();
    private final ResultCount results = new ResultCount();

    /**
     * Prepares to tell.
     *
     * @param herd tells instead, what is for people; null if nobody does
     */
    LitmusReport(CommandLine command, boolean json, boolean story, @Nullable HerdReport herd) {
        this.herd = herd;
        this.out = command.getOut();
        this.coloured = command.getColorScheme().ansi().enabled();
        this.json = json;
        this.story = story;
    }

    /** A scenario was explored; examples are run again to be told. */
    void explored(ScenarioFile file, LitmusJobs.Found found) {
        ExplorationResult findings = found.findings();
        Robustness robustness = found.robustness();
        results.add(findings.isGood());
        if (json) {
            print(toJson(file, findings, found.nanos()));
            findings.found().forEach(seen -> print(toJson(file, seen)));
            if (robustness != null) {
                print(toJson(file, robustness));
            }
        } else if (herd != null) {
            herd.tell(file, findings, found.nanos());
        } else {
            tell(file, found.exploration(), findings, found.nanos());
            if (robustness != null) {
                tellRobustness(toJson(file, robustness));
            }
            out.println();
        }
        out.flush();
    }

    private void tell(ScenarioFile file, ScenarioExploration exploration, ExplorationResult findings, long nanos) {
        ScenarioDiagram told = new ScenarioDiagram(out, coloured, file.scenario());
        if (story) {
            told.begin();
        } else {
            out.println(file.scenario().title());
        }
        Explored explored = findings.explored();
        for (Ending ending : findings.endings()) {
            String says = file.scenario().allowed().isEmpty() ? "seen" : "allowed";
            out.println(told.verdict(
                    "  " + ending.outcome() + "  " + (ending.isAllowed() ? says : "NOT allowed") + ", " + ending.count()
                            + (ending.isSampled()
                                    ? " of " + explored.samples() + " runs with seeds, sampled only"
                                    : " of " + explored.executions() + " executions"),
                    ending.isAllowed()));
            for (Failure failure : ending.failures()) {
                out.println(
                        "    " + file.name() + ":" + file.markOf(failure.path()).line() + ": " + failure);
            }
            if (story || !ending.isAllowed()) {
                out.println("    replay: run " + argument(file) + " --choices " + ending.example());
                out.println();
                NarratingTap tap = new NarratingTap(event -> {});
                exploration.replay(ending.example(), tap, tap);
                told.tell(tap.told());
                out.println();
            }
        }
        for (Outcome missing : findings.missing()) {
            out.println(told.verdict(
                    "  " + missing + "  allowed, but " + (explored.isComplete() ? "does not occur" : "not seen so far"),
                    !explored.isComplete()));
        }
        for (Forbidden forbidden : findings.neverSeen()) {
            out.println("  " + forbidden.outcome() + "  never, by " + forbidden.rule() + ": " + statement(forbidden));
        }
        findings.found().forEach(seen -> tell(file, seen));
        out.println("  " + figures(explored, nanos));
        if (story) {
            told.explain("  what was explored: " + explored.meaning());
        }
        if (findings.discarded() > 0) {
            out.println("  " + findings.discarded()
                    + " of the executions count for nothing, as something assumed does not hold");
        }
        if (!explored.isComplete()) {
            out.println("  incomplete: " + explored.stop()
                    + (explored.samples() == 0 ? "" : ", with " + explored.samples() + " runs with seeds besides"));
            if (explored.estimate() != null) {
                out.println("  estimated: " + explored.estimate());
            }
        }
    }

    /** What {@code --robust} found, as it is printed with {@code --json} and read again by {@code merge}. */
    private void tellRobustness(Map<String, Object> line) {
        String known = Boolean.TRUE.equals(line.get("known")) ? "" : ", as far as was explored";
        if (Boolean.TRUE.equals(line.get("robust"))) {
            out.println("  robust: all outcomes are those of sequential consistency" + known);
            return;
        }
        out.println("  not robust: beyond sequential consistency" + known + ":");
        for (Object each : (List<?>) line.getOrDefault("beyond", List.of())) {
            Map<?, ?> beyond = (Map<?, ?>) each;
            out.println("    " + outcomeOf(beyond.get("values")) + "  by "
                    + Robustness.text(labelsOf(beyond.get("points"))));
        }
    }

    private static Outcome outcomeOf(@Nullable Object values) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (values instanceof Map<?, ?> map) {
            map.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        }
        return new Outcome(texts);
    }

    private static List<List<String>> labelsOf(@Nullable Object points) {
        return points instanceof List<?> sets
                ? sets.stream()
                        .map(set ->
                                ((List<?>) set).stream().map(String::valueOf).toList())
                        .toList()
                : List.of();
    }

    private static Map<String, Object> toJson(ScenarioFile file, Robustness robustness) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "robustness");
        line.put("file", file.name());
        line.put("robust", robustness.isRobust());
        line.put("known", robustness.isKnown());
        line.put(
                "beyond", robustness.beyond().stream().map(LitmusReport::toJson).toList());
        return line;
    }

    private void tell(ScenarioFile file, SeenFinding seen) {
        if (seen.finding().isError()) {
            Failure failure = seen.toFailure();
            out.println("  " + file.name() + ":" + file.markOf(failure.path()).line() + ": " + failure);
        } else {
            out.println("  note: " + seen.finding());
        }
        out.println("    seen with " + seen.outcome() + (seen.isSampled() ? ", in a run with a seed" : "")
                + "; replay: run " + argument(file) + " --sanitize --choices " + seen.choices());
    }

    /** What a command calls the file. */
    static String argument(ScenarioFile file) {
        return file.name().replaceAll("^(LT-[0-9a-z-]+|TR-[0-9a-z-]+)\\.yaml$", "$1");
    }

    private static Map<String, Object> toJson(ScenarioFile file, SeenFinding seen) {
        Map<String, Object> line = seen.finding().isError()
                ? RunReport.toJson(file, seen.toFailure())
                : RunReport.toJson(file, seen.finding());
        line.put("values", seen.outcome().values());
        line.put("choices", seen.choices().toString());
        return line;
    }

    private static Map<String, Object> toJson(Robustness.Beyond beyond) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("values", beyond.outcome().values());
        line.put("points", beyond.needsLabels());
        return line;
    }

    private static String figures(Explored explored, long nanos) {
        return String.format(
                Locale.ROOT,
                "%s: %d outcome%s in %d executions (%d more abandoned, %d events), %.2f s",
                explored.isComplete() ? "complete" : "incomplete",
                explored.outcomes().size(),
                explored.outcomes().size() == 1 ? "" : "s",
                explored.executions(),
                explored.abandoned(),
                explored.events(),
                nanos / NANOS_PER_SECOND);
    }

    private String statement(Forbidden forbidden) {
        return rules.find(forbidden.rule()).map(entry -> entry.statement()).orElse("no such rule");
    }

    private Map<String, Object> toJson(ScenarioFile file, ExplorationResult findings, long nanos) {
        Explored explored = findings.explored();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "explored");
        line.put("file", file.name());
        line.put("title", file.scenario().title());
        line.put("complete", explored.isComplete());
        line.put(
                "outcomes",
                findings.endings().stream().map(LitmusReport::toJson).toList());
        line.put("missing", findings.missing().stream().map(Outcome::values).toList());
        line.put("neverSeen", findings.neverSeen().stream().map(this::toJson).toList());
        line.put("executions", explored.executions());
        line.put("discarded", findings.discarded());
        line.put("samples", explored.isComplete() ? 0 : explored.samples());
        line.put("abandoned", explored.abandoned());
        line.put("events", explored.events());
        line.put("timeNanos", nanos);
        line.put("meaning", explored.meaning());
        if (explored.stop() != null) {
            line.put("stop", explored.stop());
        }
        Explored.Estimate estimate = explored.estimate();
        if (!explored.isComplete() && estimate != null) {
            line.put("estimatedExecutions", estimate.executions());
            line.put("standardError", estimate.standardError());
            line.put("estimatedFrom", estimate.runs());
        }
        line.put("asExpected", findings.isGood());
        return line;
    }

    private static Map<String, Object> toJson(Ending ending) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("values", ending.outcome().values());
        line.put("allowed", ending.isAllowed());
        line.put(ending.isSampled() ? "sampled" : "executions", ending.count());
        line.put("choices", ending.example().toString());
        line.put("failures", ending.failures().stream().map(Failure::toString).toList());
        return line;
    }

    private Map<String, Object> toJson(Forbidden forbidden) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("values", forbidden.outcome().values());
        line.put("rule", forbidden.rule());
        line.put("statement", statement(forbidden));
        return line;
    }

    /** What a part printed of a file. */
    void merged(List<Map<String, Object>> lines) {
        Map<String, Object> explored = lines.get(0);
        boolean isGood = Boolean.TRUE.equals(explored.get("asExpected"));
        results.add(isGood);
        if (json) {
            lines.forEach(this::print);
        } else {
            int outcomes = ((List<?>) explored.getOrDefault("outcomes", List.of())).size();
            out.println((isGood ? "ok     " : "WRONG  ") + explored.get("file") + "  " + outcomes + " outcomes in "
                    + explored.get("executions") + " executions"
                    + (Boolean.TRUE.equals(explored.get("complete")) ? "" : ", incomplete: " + explored.get("stop")));
            lines.stream().filter(line -> "robustness".equals(line.get("kind"))).forEach(this::tellRobustness);
        }
        out.flush();
    }

    /** Ctrl-C came before so many files. */
    void interrupted(int notExplored) {
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("kind", "interrupted");
            line.put("notExplored", notExplored);
            print(line);
        } else {
            out.println("interrupted: " + notExplored + " more were not explored");
        }
    }

    /** All is told; whether everything was as it should be. */
    boolean finished() {
        if (json) {
            print(results.toJson());
        } else if (herd == null && results.good() + results.bad() > 1) {
            out.println(results.good() + " as expected, " + results.bad() + " not");
        }
        out.flush();
        return results.areGood();
    }

    private void print(Map<String, Object> line) {
        out.println(JsonText.of(line));
    }
}
