// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Result;
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
import dev.verbatim.verbs.Rule;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells which outcomes explorations found. */
final class LitmusReport {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Output output;
    private final boolean story;
    private final @Nullable HerdReport herd;
    private final ResultCount results = new ResultCount();

    /**
     * Prepares to tell.
     *
     * @param herd tells instead, what is for people; null if nobody does
     */
    LitmusReport(Output output, boolean story, @Nullable HerdReport herd) {
        this.herd = herd;
        this.output = output;
        this.story = story;
    }

    private record ExploredLine(
            String file,
            String title,
            boolean complete,
            List<Map<String, Object>> outcomes,
            List<Map<String, String>> missing,
            List<Never> neverSeen,
            long executions,
            long discarded,
            long samples,
            long abandoned,
            long events,
            long timeNanos,
            String meaning,
            @Nullable String stop,
            @Nullable Object estimatedExecutions,
            @Nullable Object standardError,
            @Nullable Object estimatedFrom,
            boolean asExpected)
            implements Line {}

    private record Never(Map<String, List<String>> values, String rule, String statement) {}

    private record RobustnessLine(String file, boolean robust, boolean known, List<Beyond> beyond) implements Line {}

    private record Beyond(Map<String, String> values, List<List<String>> points) {}

    private record Interrupted(int notExplored) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println("interrupted: " + notExplored + " more were not explored");
        }
    }

    /** A scenario was explored; examples are run again to be told. */
    void explored(ScenarioFile file, LitmusJobs.Found found) {
        ExplorationResult findings = found.findings();
        Robustness robustness = found.robustness();
        results.add(findings.isGood());
        RobustnessLine robust = robustness == null ? null : line(file, robustness);
        List<Line> lines = new ArrayList<>();
        lines.add(line(file, findings, found.nanos()));
        findings.found().forEach(seen -> lines.add(line(file, seen)));
        if (robust != null) {
            lines.add(robust);
        }
        output.print(lines, out -> {
            if (herd != null) {
                herd.tell(out, file, findings, found.nanos());
                return;
            }
            tell(out, file, found.exploration(), findings, found.nanos());
            if (robust != null) {
                List<String> labels = robust.beyond().stream()
                        .map(beyond -> new Outcome(beyond.values()) + "  by " + Robustness.text(beyond.points()))
                        .toList();
                tellRobustness(out, robust.robust(), robust.known(), labels);
            }
            out.println();
        });
    }

    private void tell(
            PrintWriter out,
            ScenarioFile file,
            ScenarioExploration exploration,
            ExplorationResult findings,
            long nanos) {
        ScenarioDiagram told = new ScenarioDiagram(out, output.isColoured(), file.scenario());
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
                out.println("    " + RunReport.at(file, failure));
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
        findings.found().forEach(seen -> tell(out, file, seen));
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

    /** @param beyond each outcome that is none of sequential consistency, and by what */
    private static void tellRobustness(PrintWriter out, boolean robust, boolean known, List<String> beyond) {
        String limit = known ? "" : ", as far as was explored";
        if (robust) {
            out.println("  robust: all outcomes are those of sequential consistency" + limit);
            return;
        }
        out.println("  not robust: beyond sequential consistency" + limit + ":");
        beyond.forEach(each -> out.println("    " + each));
    }

    private static RobustnessLine line(ScenarioFile file, Robustness robustness) {
        return new RobustnessLine(
                file.name(),
                robustness.isRobust(),
                robustness.isKnown(),
                robustness.beyond().stream()
                        .map(beyond -> new Beyond(beyond.outcome().values(), beyond.needsLabels()))
                        .toList());
    }

    private void tell(PrintWriter out, ScenarioFile file, SeenFinding seen) {
        if (seen.finding().isError()) {
            out.println("  " + RunReport.at(file, seen.toFailure()));
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

    private static Line line(ScenarioFile file, SeenFinding seen) {
        Map<String, String> values = seen.outcome().values();
        String choices = seen.choices().toString();
        return seen.finding().isError()
                ? RunReport.line(file, seen.toFailure(), values, choices)
                : RunReport.line(file, seen.finding(), values, choices);
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
        return Rule.find(forbidden.rule()).map(Rule::statement).orElse("no such rule");
    }

    private Line line(ScenarioFile file, ExplorationResult findings, long nanos) {
        Explored explored = findings.explored();
        Explored.Estimate estimate = explored.isComplete() ? null : explored.estimate();
        return new ExploredLine(
                file.name(),
                file.scenario().title(),
                explored.isComplete(),
                findings.endings().stream().map(LitmusReport::members).toList(),
                findings.missing().stream().map(Outcome::values).toList(),
                findings.neverSeen().stream()
                        .map(never -> new Never(never.outcome().values(), never.rule(), statement(never)))
                        .toList(),
                explored.executions(),
                findings.discarded(),
                explored.isComplete() ? 0 : explored.samples(),
                explored.abandoned(),
                explored.events(),
                nanos,
                explored.meaning(),
                explored.stop(),
                estimate == null ? null : estimate.executions(),
                estimate == null ? null : estimate.standardError(),
                estimate == null ? null : estimate.runs(),
                findings.isGood());
    }

    private static Map<String, Object> members(Ending ending) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("values", ending.outcome().values());
        members.put("allowed", ending.isAllowed());
        members.put(ending.isSampled() ? "sampled" : "executions", ending.count());
        members.put("choices", ending.example().toString());
        members.put(
                "failures", ending.failures().stream().map(Failure::toString).toList());
        return members;
    }

    /** What a part printed of a file. */
    void merged(List<Map<String, Object>> lines) {
        Map<String, Object> explored = lines.get(0);
        boolean isGood = Boolean.TRUE.equals(explored.get("asExpected"));
        results.add(isGood);
        output.print(lines, out -> {
            int outcomes = ((List<?>) explored.getOrDefault("outcomes", List.of())).size();
            out.println((isGood ? "ok     " : "WRONG  ") + explored.get("file") + "  " + outcomes + " outcomes in "
                    + explored.get("executions") + " executions"
                    + (Boolean.TRUE.equals(explored.get("complete")) ? "" : ", incomplete: " + explored.get("stop")));
            for (Map<String, Object> line : lines) {
                if ("robustness".equals(line.get("kind"))) {
                    tellRobustness(
                            out,
                            Boolean.TRUE.equals(line.get("robust")),
                            Boolean.TRUE.equals(line.get("known")),
                            ((List<?>) line.getOrDefault("beyond", List.of()))
                                    .stream().map(LitmusReport::beyondOf).toList());
                }
            }
        });
    }

    private static String beyondOf(Object each) {
        Map<?, ?> beyond = (Map<?, ?>) each;
        return outcomeOf(beyond.get("values")) + "  by " + Robustness.text(labelsOf(beyond.get("points")));
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

    /** Ctrl-C came before so many files. */
    void interrupted(int notExplored) {
        output.print(new Interrupted(notExplored));
    }

    /** All is told; whether everything was as it should be. */
    boolean finished() {
        output.print(List.of(results.line(null)), out -> {
            if (herd == null && results.good() + results.bad() > 1) {
                out.println(results.good() + " as expected, " + results.bad() + " not");
            }
        });
        return results.areGood();
    }
}
