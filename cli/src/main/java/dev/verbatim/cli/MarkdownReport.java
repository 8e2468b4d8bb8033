// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.Forbidden;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ExplorationResult.Ending;
import dev.verbatim.conformance.scenario.run.Robustness;
import dev.verbatim.sim.Explored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What explorations of many files found, as one Markdown document: a table with a link to a section for each file. */
final class MarkdownReport {

    private static final double NANOS_PER_SECOND = 1e9;

    private record Told(ScenarioFile file, LitmusJobs.Found found) {

        ExplorationResult findings() {
            return found.findings();
        }

        Explored explored() {
            return findings().explored();
        }
    }

    private final List<Told> all = new ArrayList<>();

    /** A file was explored. */
    void add(ScenarioFile file, LitmusJobs.Found found) {
        all.add(new Told(file, found));
    }

    /** Writes all that was added. */
    void write(Path file) {
        try {
            Files.writeString(file, text());
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(file, e);
        }
    }

    private String text() {
        List<String> lines = new ArrayList<>();
        long good = all.stream().filter(told -> told.findings().isGood()).count();
        long nanos = all.stream().mapToLong(told -> told.found().nanos()).sum();
        lines.add("# Explored scenarios");
        lines.add("");
        lines.add(all.size() + " files, " + good + " as expected, " + (all.size() - good) + " not; "
                + all.stream().mapToLong(told -> told.explored().executions()).sum() + " executions and "
                + all.stream().mapToLong(told -> told.explored().abandoned()).sum() + " more abandoned in "
                + seconds(nanos) + ".");
        lines.add("");
        lines.add("| file | title | result | outcomes | executions | abandoned | events | time |");
        lines.add("|---|---|---|---|---|---|---|---|");
        for (int i = 0; i < all.size(); i++) {
            lines.add(row(i, all.get(i)));
        }
        for (int i = 0; i < all.size(); i++) {
            section(i, all.get(i), lines);
        }
        return String.join("\n", lines) + "\n";
    }

    private static String row(int number, Told told) {
        Explored explored = told.explored();
        return "| [" + cell(told.file().name()) + "](#file-" + (number + 1) + ") | "
                + cell(told.file().scenario().title()) + " | "
                + (told.findings().isGood() ? "as expected" : "**not as expected**")
                + (explored.isComplete() ? "" : ", incomplete") + " | "
                + told.findings().endings().size() + " | "
                + explored.executions() + " | " + explored.abandoned() + " | " + explored.events() + " | "
                + seconds(told.found().nanos()) + " |";
    }

    private static void section(int number, Told told, List<String> lines) {
        ScenarioFile file = told.file();
        Explored explored = told.explored();
        lines.add("");
        lines.add("<a id=\"file-" + (number + 1) + "\"></a>");
        lines.add("");
        lines.add("## " + file.scenario().title());
        lines.add("");
        lines.add("| outcome | | executions | replay |");
        lines.add("|---|---|---|---|");
        for (Ending ending : told.findings().endings()) {
            lines.add("| " + cell(ending.outcome().toString()) + " | " + judged(file, ending) + " | " + ending.count()
                    + (ending.isSampled() ? " sampled" : "") + " | `run " + LitmusReport.argument(file) + " --choices "
                    + ending.example() + "` |");
        }
        for (Outcome missing : told.findings().missing()) {
            lines.add("| " + cell(missing.toString()) + " | allowed, but "
                    + (explored.isComplete() ? "does not occur" : "not seen so far") + " | 0 | |");
        }
        for (Forbidden forbidden : told.findings().neverSeen()) {
            lines.add("| " + cell(forbidden.outcome().toString()) + " | never, by " + forbidden.rule() + " | 0 | |");
        }
        for (Ending ending : told.findings().endings()) {
            for (Failure failure : ending.failures()) {
                lines.add("");
                lines.add("- " + file.name() + ":" + file.markOf(failure.path()).line() + ": " + failure);
            }
        }
        if (!explored.isComplete()) {
            lines.add("");
            lines.add("Incomplete: " + explored.stop());
        }
        Robustness robustness = told.found().robustness();
        if (robustness != null) {
            lines.add("");
            lines.add(robustness.isRobust() ? "Robust." : "Not robust:");
            robustness
                    .beyond()
                    .forEach(beyond ->
                            lines.add("- " + beyond.outcome() + " by " + Robustness.text(beyond.needsLabels())));
        }
    }

    private static String judged(ScenarioFile file, Ending ending) {
        if (!ending.isAllowed()) {
            return "**NOT allowed**";
        }
        return file.scenario().allowed().isEmpty() ? "seen" : "allowed";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos / NANOS_PER_SECOND);
    }
}
