// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.soak.SoakResult;
import dev.verbatim.cli.soak.account.SoakFailure;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tells what came of a soak. */
final class SoakReport {

    private final PrintWriter out;
    private final boolean json;
    private final ResultCount results = new ResultCount();

    SoakReport(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void tell(SoakResult result) {
        results.add(result.isGood());
        if (json) {
            tellPrograms(result);
        } else {
            tellPeople(result);
        }
        out.flush();
    }

    /** A soak of another process: the line that it printed. */
    void merged(Map<String, Object> line) {
        boolean isGood = Boolean.TRUE.equals(line.get("asExpected"));
        results.add(isGood);
        if (json) {
            print(line);
        } else {
            if (line.get("findings") instanceof List<?> findings) {
                findings.forEach(finding -> out.println(
                        "WRONG  " + (finding instanceof Map<?, ?> failure ? failure.get("what") : finding)));
            }
            out.println("seed " + line.get("seed") + ", " + line.get("threads") + " threads, " + line.get("fabric")
                    + ": " + (isGood ? "every request is accounted for" : line.get("findingCount") + " failures"));
        }
        out.flush();
    }

    /** All soaks of a job are told; whether nothing was found. */
    boolean finished() {
        if (json) {
            print(results.toJson());
        }
        out.flush();
        return results.areGood();
    }

    private void print(Map<String, Object> line) {
        out.println(JsonText.of(line));
    }

    private void tellPrograms(SoakResult result) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "soak");
        line.put("seed", result.plan().seed());
        line.put("threads", result.plan().threads());
        line.put("fabric", result.plan().fabric().toString());
        line.put("seconds", result.seconds());
        line.put("requests", result.totals());
        line.put("verbs", result.verbs());
        line.put("opcodes", result.requests());
        line.put("statuses", result.statuses());
        line.put("refusals", result.refusals());
        line.put("events", result.events());
        line.put(
                "findings",
                result.failures().stream()
                        .map(failure -> Map.of("what", failure.what(), "trail", failure.history()))
                        .toList());
        line.put("findingCount", result.findingCount());
        line.put("asExpected", result.isGood());
        print(line);
    }

    private void tellPeople(SoakResult result) {
        table("calls", result.verbs(), result.seconds());
        table("requests drawn", result.requests(), result.seconds());
        table("completions", result.statuses(), result.seconds());
        table("refusals", result.refusals(), result.seconds());
        table("events", result.events(), result.seconds());
        table("requests", result.totals(), result.seconds());
        for (SoakFailure failure : result.failures()) {
            out.println("WRONG  " + failure.what());
            failure.history().forEach(line -> out.println("    " + line));
        }
        out.println(String.format(
                Locale.ROOT,
                "seed %d, %d threads, %s, %.1f s: %d calls, %s",
                result.plan().seed(),
                result.plan().threads(),
                result.plan().fabric(),
                result.seconds(),
                result.calls(),
                result.isGood()
                        ? "every request is accounted for, "
                                + (result.isEnded() ? "ended early: leftovers not looked for" : "nothing is left open")
                        : result.findingCount() + " failures"));
    }

    private void table(String title, Map<String, Long> counts, double seconds) {
        out.println(title);
        counts.forEach((name, count) ->
                out.println(String.format(Locale.ROOT, "  %-44s %12d %12.1f/s", name, count, count / seconds)));
        out.println();
    }
}
