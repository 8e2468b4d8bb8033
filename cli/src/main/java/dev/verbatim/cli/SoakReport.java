// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.cli.soak.SoakResult;
import dev.verbatim.cli.soak.account.SoakFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Tells what came of a soak. */
final class SoakReport {

    private final PrintWriter out;
    private final boolean json;

    SoakReport(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void tell(SoakResult result) {
        if (json) {
            tellPrograms(result);
        } else {
            tellPeople(result);
        }
        out.flush();
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
        try {
            out.println(JSON.std.asString(line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
