// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.cure.ChangedLine;
import dev.verbatim.conformance.scenario.cure.CureSearch;
import dev.verbatim.visibility.Platform;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells what removes an outcome of a scenario, or what of a scenario without it can be dropped. */
final class CureReport {

    private final PrintWriter out;
    private final boolean json;
    private final long seconds;
    private final int threads;

    /** A search may take so many seconds, by so many threads. */
    CureReport(PrintWriter out, boolean json, long seconds, int threads) {
        this.out = out;
        this.json = json;
        this.seconds = seconds;
        this.threads = threads;
    }

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
        if (json) {
            print(toJson(file, outcome, platform, answer));
        } else {
            out.println(file.name() + ": " + outcome + (platform == null ? "" : " on " + platform.name()));
            out.println("  " + summary(answer));
            answer.changes().forEach(change -> tell(file, change));
        }
        out.flush();
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

    private void tell(ScenarioFile file, CureSearch.Change change) {
        out.println("  " + String.join(", and ", change.what()) + "  (cost " + change.cost() + "; explored in "
                + change.executions() + (change.executions() == 1 ? " execution)" : " executions)"));
        for (ChangedLine line : change.lines()) {
            String where = "    line " + file.markOf(line.path()).line() + "  ";
            if (!line.before().isEmpty() && !line.after().contains(line.before())) {
                out.println(where + "- " + line.before());
            }
            line.after().forEach(after -> out.println(where + (after.equals(line.before()) ? "  " : "+ ") + after));
        }
    }

    private static Map<String, Object> toJson(
            ScenarioFile file, OutcomePattern outcome, @Nullable Platform platform, CureSearch.Answer answer) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", "suggestion");
        object.put("file", file.name());
        object.put("outcome", outcome.toString());
        if (platform != null) {
            object.put("platform", platform.name());
        }
        object.put("possible", answer.isPossible());
        object.put("complete", answer.isComplete());
        object.put(
                "changes",
                answer.changes().stream().map(change -> toJson(file, change)).toList());
        return object;
    }

    private static Map<String, Object> toJson(ScenarioFile file, CureSearch.Change change) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("what", change.what());
        object.put("cost", change.cost());
        object.put("executions", change.executions());
        object.put(
                "lines",
                change.lines().stream()
                        .map(line -> {
                            Map<String, Object> each = new LinkedHashMap<>();
                            each.put("line", file.markOf(line.path()).line());
                            each.put("before", line.before());
                            each.put("after", line.after());
                            return each;
                        })
                        .toList());
        return object;
    }

    private void print(Map<String, Object> object) {
        out.println(JsonText.of(object));
    }
}
