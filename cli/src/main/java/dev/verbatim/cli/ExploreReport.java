// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
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
import org.jspecify.annotations.Nullable;

/** Tells what came of random programs. */
final class ExploreReport {

    /** What the user calls the command line. */
    static final String CALLED = System.getProperty(Main.NAME, "verbatim");

    /** A longer list of choices is for machines. */
    private static final int MOST_CHARS = 400;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Output output;
    private final long seed;
    private final String option;

    /**
     * To there.
     *
     * @param option what has to be said besides the seed to see the same programs
     */
    ExploreReport(Output output, long seed, String option) {
        this.option = option;
        this.output = output;
        this.seed = seed;
    }

    private record ProgramLine(
            String scenario,
            String choices,
            long packets,
            long virtualNanos,
            String traceHash,
            List<String> troubles,
            boolean asExpected)
            implements Line {}

    private record FailureLine(
            int program,
            String again,
            String choices,
            List<String> troubles,
            String scenario,
            String scenarioChoices,
            List<String> scenarioTroubles,
            int tries,
            String story)
            implements Line {}

    private record CountsLine(double seconds, Object counts) implements Line {}

    private record ResultLine(
            long seed,
            long programs,
            long failures,
            int medianQueuePairs,
            int medianRequests,
            int medianFeatures,
            int kindsOfRuns,
            long packets,
            long events,
            long virtualNanos,
            double seconds,
            Map<String, List<Long>> points,
            Map<String, Long> statuses,
            Map<String, Long> weakBehaviours,
            Map<String, Long> checks,
            Map<String, Long> notJudged,
            boolean asExpected)
            implements Line {}

    /** One program that was named has run. */
    void one(Scenario scenario, ProgramResult executed, String traceHash, String again) {
        ProgramLine line = new ProgramLine(
                ScenarioWriter.write(scenario),
                executed.choices().toString(),
                executed.packets(),
                executed.virtualNanos(),
                traceHash,
                texts(executed.failures()),
                executed.isGood());
        output.print(List.of(line), out -> {
            out.println(line.scenario());
            out.println("choices: " + brief(executed.choices()));
            out.println("trace: SHA-256 of the JSON lines " + traceHash);
            out.print(executed.verdict());
            line.troubles().forEach(failure -> out.println("WRONG  " + failure));
            out.println("again: " + again);
        });
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
        FailureLine line = new FailureLine(
                number,
                command,
                executed.choices().toString(),
                texts(executed.failures()),
                ScenarioWriter.write(minimal.scenario()),
                minimal.choices().toString(),
                texts(minimal.failures()),
                minimal.tries(),
                minimal.story());
        output.print(List.of(line), out -> {
            tellFailure(out, number, line.troubles(), command + "    choices: " + brief(executed.choices()));
            out.println("minimized in " + minimal.tries() + " runs; save the program as FILE.yaml and replay it with"
                    + " " + CALLED + " explore FILE.yaml --choices " + minimal.choices());
            out.println();
            out.println(line.scenario());
            out.println(minimal.story());
            line.scenarioTroubles().forEach(failure -> out.println("WRONG  " + failure));
            out.println();
        });
    }

    private void tellFailure(PrintWriter out, @Nullable Object number, List<?> troubles, @Nullable Object replay) {
        out.println("WRONG  program " + number + " of seed " + seed);
        troubles.forEach(trouble -> out.println("  " + trouble));
        out.println("replay: " + replay);
        out.println();
    }

    private static List<String> texts(List<RunFailure> troubles) {
        return troubles.stream().map(RunFailure::toString).toList();
    }

    /** What a part of the programs came to, for {@code merge}. */
    void part(ExploreFigures figures, long elapsedNanos) {
        output.printForPrograms(new CountsLine(elapsedNanos / NANOS_PER_SECOND, figures.counts()));
    }

    /** A failure of a part, as {@link #failure} printed it for programs. */
    void failure(Map<String, Object> line) {
        output.print(
                List.of(line),
                out -> tellFailure(
                        out,
                        line.get("program"),
                        (List<?>) line.getOrDefault("troubles", List.of()),
                        line.get("again")));
    }

    /** All programs have run. */
    void all(ExploreFigures figures, long elapsedNanos) {
        double seconds = elapsedNanos / NANOS_PER_SECOND;
        ResultLine line = new ResultLine(
                seed,
                figures.programs(),
                figures.failures(),
                figures.medianQueuePairs(),
                figures.medianRequests(),
                figures.medianFeatures(),
                figures.kindsOfRuns(),
                figures.packets(),
                figures.events(),
                figures.virtualNanos(),
                seconds,
                points(figures),
                figures.statuses(),
                named(figures.weakBehaviours()),
                named(figures.checks()),
                named(figures.gaps()),
                figures.failures() == 0);
        output.print(List.of(line), out -> tell(out, figures, line));
    }

    private static Map<String, List<Long>> points(ExploreFigures figures) {
        Map<String, List<Long>> points = new LinkedHashMap<>();
        for (ChoicePoint point : ChoicePoint.values()) {
            points.put(
                    point.label(),
                    List.of(figures.tally().asked(point), figures.tally().deviated(point)));
        }
        return points;
    }

    private static Map<String, Long> named(Map<? extends Enum<?>, Long> counts) {
        Map<String, Long> named = new LinkedHashMap<>();
        counts.forEach((key, count) -> named.put(key.name(), count));
        return named;
    }

    private void tell(PrintWriter out, ExploreFigures figures, ResultLine line) {
        double seconds = line.seconds();
        out.println(figures.tally());
        out.println();
        tell(out, "completions", line.statuses());
        tell(out, "weak but permitted", line.weakBehaviours());
        tell(out, "checks", line.checks());
        if (!figures.gaps().isEmpty()) {
            tell(out, "not judged", line.notJudged());
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

    private static void tell(PrintWriter out, String what, Map<String, ?> counts) {
        StringBuilder text = new StringBuilder(what).append(':');
        counts.forEach(
                (name, count) -> text.append(' ').append(name).append('=').append(count));
        out.println(text);
    }

    @SuppressWarnings("AnnotateFormatMethod") // its callers are above
    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
