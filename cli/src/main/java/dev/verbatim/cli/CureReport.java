// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.cure.CureSearch;
import dev.verbatim.visibility.Platform;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells what removes an outcome of a scenario, or what of a scenario without it can be dropped. */
final class CureReport {

    private final Output output;
    private final long seconds;
    private final int threads;

    /** A search may take so many seconds, by so many threads. */
    CureReport(Output output, long seconds, int threads) {
        this.output = output;
        this.seconds = seconds;
        this.threads = threads;
    }

    private record Suggestion(
            String file,
            String outcome,
            @Nullable String platform,
            @Nullable Boolean possible,
            boolean complete,
            List<Change> changes)
            implements Line {}

    private record Change(List<String> what, int cost, long executions, List<Changed> lines) {}

    private record Changed(int line, String before, List<String> after) {}

    /**
     * Tells it of each scenario.
     *
     * @param platforms on each of which it is asked; none for that of the file
     * @return whether each outcome is impossible, or something was found that removes it
     */
    boolean tell(List<ScenarioFile> files, OutcomePattern outcome, List<Platform> platforms) {
        boolean isGood = true;
        for (ScenarioFile file : files) {
            if (platforms.isEmpty()) {
                isGood &= tell(file, file.scenario(), outcome, null);
            }
            for (Platform platform : platforms) {
                isGood &= tell(file, file.scenario().on(platform), outcome, platform);
            }
        }
        return isGood;
    }

    private boolean tell(ScenarioFile file, Scenario scenario, OutcomePattern outcome, @Nullable Platform platform) {
        CureSearch.Answer answer =
                new CureSearch(scenario, outcome, System::nanoTime, TimeUnit.SECONDS.toNanos(seconds), threads).find();
        Suggestion line = new Suggestion(
                file.name(),
                outcome.toString(),
                platform == null ? null : platform.name(),
                answer.isPossible(),
                answer.isComplete(),
                answer.changes().stream().map(change -> change(file, change)).toList());
        output.print(List.of(line), out -> {
            out.println(file.name() + ": " + outcome + (platform == null ? "" : " on " + platform.name()));
            out.println("  " + summary(answer));
            line.changes().forEach(change -> tell(out, change));
        });
        return Boolean.FALSE.equals(answer.isPossible()) || !answer.changes().isEmpty();
    }

    private String summary(CureSearch.Answer answer) {
        String late = answer.isComplete() ? "" : "; not all was tried in " + seconds + " s, give more --seconds";
        Boolean isPossible = answer.isPossible();
        if (isPossible == null) {
            return "not known to be possible" + late;
        }
        if (answer.changes().isEmpty()) {
            return (isPossible
                            ? "possible; nothing that was tried removes it: at most " + CureSearch.MOST_ADDITIONS
                                    + " fences, waits, flushes, atomics and flags"
                            : "impossible; nothing can be dropped")
                    + late;
        }
        return (isPossible ? "possible; removed by" : "impossible, also without") + late;
    }

    private static Change change(ScenarioFile file, CureSearch.Change change) {
        return new Change(
                change.what(),
                change.cost(),
                change.executions(),
                change.lines().stream()
                        .map(line -> new Changed(file.markOf(line.path()).line(), line.before(), line.after()))
                        .toList());
    }

    private static void tell(PrintWriter out, Change change) {
        out.println("  " + String.join(", and ", change.what()) + "  (cost " + change.cost() + "; explored in "
                + change.executions() + (change.executions() == 1 ? " execution)" : " executions)"));
        for (Changed changed : change.lines()) {
            String where = "    line " + changed.line() + "  ";
            String before = changed.before();
            if (!before.isEmpty() && !changed.after().contains(before)) {
                out.println(where + "- " + before);
            }
            changed.after().forEach(after -> out.println(where + (after.equals(before) ? "  " : "+ ") + after));
        }
    }
}
