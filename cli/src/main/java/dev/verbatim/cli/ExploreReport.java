// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.explore.ExploreFigures;
import dev.verbatim.conformance.explore.Minimizer.Minimal;
import dev.verbatim.conformance.explore.ProgramResult;
import dev.verbatim.conformance.explore.RunFailure;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tells what came of random programs. */
final class ExploreReport {

    /** What the user calls the command line. */
    static final String CALLED = System.getProperty(Main.NAME, "verbatim");

    /** A longer list of choices is for machines. */
    private static final int MOST_CHARS = 400;

    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter out;
    private final boolean json;
    private final long seed;
    private final String option;

    /**
     * To there.
     *
     * @param option what has to be said besides the seed to see the same programs
     */
    ExploreReport(PrintWriter out, boolean json, long seed, String option) {
        this.option = option;
        this.out = out;
        this.json = json;
        this.seed = seed;
    }

    /** One program that was named has run. */
    void one(Scenario scenario, ProgramResult executed, String traceHash, String again) {
        if (json) {
            Map<String, Object> line = line("program");
            line.put("scenario", ScenarioWriter.write(scenario));
            line.put("choices", executed.choices().toString());
            line.put("packets", executed.packets());
            line.put("virtualNanos", executed.virtualNanos());
            line.put("traceHash", traceHash);
            line.put("troubles", texts(executed.failures()));
            line.put("asExpected", executed.isGood());
            print(line);
        } else {
            out.println(ScenarioWriter.write(scenario));
            out.println("choices: " + brief(executed.choices()));
            out.println("trace: SHA-256 of the JSON lines " + traceHash);
            out.print(executed.verdict());
            executed.failures().forEach(failure -> out.println("WRONG  " + failure));
            out.println("again: " + again);
        }
        out.flush();
    }

    /** The command that makes the run of a program again. */
    String again(int number) {
        return CALLED + " explore --seed " + seed + option + " --program " + number;
    }

    private static String brief(ChoiceList choices) {
        String text = choices.toString();
        return text.length() <= MOST_CHARS
                ? text
                : choices.length() + ", of which " + choices.deviations().size()
                        + " are not the first alternative; use --json to print them";
    }

    /** A program was wrong, and was made small. */
    void failure(int number, ProgramResult executed, Minimal minimal) {
        String command = again(number);
        String yaml = ScenarioWriter.write(minimal.scenario());
        if (json) {
            Map<String, Object> line = line("failure");
            line.put("program", number);
            line.put("again", command);
            line.put("choices", executed.choices().toString());
            line.put("troubles", texts(executed.failures()));
            line.put("scenario", yaml);
            line.put("scenarioChoices", minimal.choices().toString());
            line.put("scenarioTroubles", texts(minimal.failures()));
            line.put("tries", minimal.tries());
            line.put("story", minimal.story());
            print(line);
        } else {
            out.println("WRONG  program " + number + " of seed " + seed);
            executed.failures().forEach(failure -> out.println("  " + failure));
            out.println("replay: " + command + "    choices: " + brief(executed.choices()));
            out.println();
            out.println("minimized in " + minimal.tries() + " runs; save the program as FILE.yaml and replay it with"
                    + " " + CALLED + " explore FILE.yaml --choices " + minimal.choices());
            out.println();
            out.println(yaml);
            out.println(minimal.story());
            minimal.failures().forEach(failure -> out.println("WRONG  " + failure));
            out.println();
        }
        out.flush();
    }

    private static List<String> texts(List<RunFailure> troubles) {
        return troubles.stream().map(RunFailure::toString).toList();
    }

    /** What a part of the programs came to, for {@code merge}. */
    void part(ExploreFigures figures, long elapsedNanos) {
        Map<String, Object> line = line("counts");
        line.put("seconds", elapsedNanos / NANOS_PER_SECOND);
        line.put("counts", figures.counts());
        print(line);
    }

    /** A failure of a part, as {@link #failure} printed it for programs. */
    void failure(Map<String, Object> line) {
        if (json) {
            print(line);
        } else {
            out.println("WRONG  program " + line.get("program") + " of seed " + seed);
            ((List<?>) line.getOrDefault("troubles", List.of())).forEach(trouble -> out.println("  " + trouble));
            out.println("replay: " + line.get("again"));
            out.println();
        }
        out.flush();
    }

    /** All programs have run. */
    void all(ExploreFigures figures, long elapsedNanos) {
        double seconds = elapsedNanos / NANOS_PER_SECOND;
        if (json) {
            Map<String, Object> line = line("result");
            line.put("seed", seed);
            line.put("programs", figures.programs());
            line.put("failures", figures.failures());
            line.put("medianQueuePairs", figures.medianQueuePairs());
            line.put("medianRequests", figures.medianRequests());
            line.put("medianFeatures", figures.medianFeatures());
            line.put("kindsOfRuns", figures.kindsOfRuns());
            line.put("packets", figures.packets());
            line.put("events", figures.events());
            line.put("virtualNanos", figures.virtualNanos());
            line.put("seconds", seconds);
            line.put("points", points(figures));
            line.put("statuses", figures.statuses());
            line.put("weakBehaviours", named(figures.weakBehaviours()));
            line.put("checks", named(figures.checks()));
            line.put("notJudged", named(figures.gaps()));
            line.put("asExpected", figures.failures() == 0);
            print(line);
        } else {
            tell(figures, seconds);
        }
        out.flush();
    }

    private static Map<String, Object> points(ExploreFigures figures) {
        Map<String, Object> points = new LinkedHashMap<>();
        for (ChoicePoint point : ChoicePoint.values()) {
            points.put(
                    point.label(),
                    List.of(figures.tally().asked(point), figures.tally().deviated(point)));
        }
        return points;
    }

    private static Map<String, Object> named(Map<? extends Enum<?>, Long> counts) {
        Map<String, Object> named = new LinkedHashMap<>();
        counts.forEach((key, count) -> named.put(key.name(), count));
        return named;
    }

    private void tell(ExploreFigures figures, double seconds) {
        out.println(figures.tally());
        out.println();
        tell("completions", figures.statuses());
        tell("weak but permitted", named(figures.weakBehaviours()));
        tell("checks", named(figures.checks()));
        if (!figures.gaps().isEmpty()) {
            tell("not judged", named(figures.gaps()));
        }
        out.println(text(
                "median program: %d queue pairs, %d requests, %d of READ, ATOMIC, fence, bind, revocation",
                figures.medianQueuePairs(), figures.medianRequests(), figures.medianFeatures()));
        if (!figures.tooSeldom().isEmpty()) {
            out.println("fewer than " + ExploreFigures.ENOUGH_DEVIATIONS + " choices other than the first alternative: "
                    + figures.tooSeldom().stream().map(ChoicePoint::label).toList());
        }
        out.println(text(
                "%d programs of seed %d in %.1f s (%.0f a second, %.0f packets a second), %d kinds of runs, %.3f s of"
                        + " virtual time: %d wrong",
                figures.programs(),
                seed,
                seconds,
                figures.programs() / seconds,
                figures.packets() / seconds,
                figures.kindsOfRuns(),
                figures.virtualNanos() / NANOS_PER_SECOND,
                figures.failures()));
    }

    private void tell(String what, Map<String, ?> counts) {
        StringBuilder text = new StringBuilder(what).append(':');
        counts.forEach(
                (name, count) -> text.append(' ').append(name).append('=').append(count));
        out.println(text);
    }

    @SuppressWarnings("AnnotateFormatMethod") // its callers are above
    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static Map<String, Object> line(String kind) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", kind);
        return line;
    }

    private void print(Map<String, Object> line) {
        out.println(JsonText.of(line));
    }
}
