// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Line;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.soak.SoakResult;
import dev.verbatim.cli.soak.account.SoakFailure;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tells what came of a soak. */
final class SoakReport {

    private final Output output;
    private final ResultCount results = new ResultCount();

    SoakReport(Output output) {
        this.output = output;
    }

    private record SoakLine(
            long seed,
            int threads,
            String fabric,
            double seconds,
            Map<String, Long> requests,
            Map<String, Long> verbs,
            Map<String, Long> opcodes,
            Map<String, Long> statuses,
            Map<String, Long> refusals,
            Map<String, Long> events,
            List<What> findings,
            long findingCount,
            boolean asExpected)
            implements Line {}

    private record What(String what, List<String> trail) {}

    void tell(SoakResult result) {
        results.add(result.isGood());
        Line line = new SoakLine(
                result.plan().seed(),
                result.plan().threads(),
                result.plan().fabric().toString(),
                result.seconds(),
                result.totals(),
                result.verbs(),
                result.requests(),
                result.statuses(),
                result.refusals(),
                result.events(),
                result.failures().stream()
                        .map(failure -> new What(failure.what(), failure.history()))
                        .toList(),
                result.findingCount(),
                result.isGood());
        output.print(List.of(line), out -> tell(out, result));
    }

    /** A soak of another process: the line that it printed. */
    void merged(Map<String, Object> line) {
        boolean isGood = Boolean.TRUE.equals(line.get("asExpected"));
        results.add(isGood);
        output.print(List.of(line), out -> {
            if (line.get("findings") instanceof List<?> findings) {
                findings.forEach(finding -> out.println(
                        "WRONG  " + (finding instanceof Map<?, ?> failure ? failure.get("what") : finding)));
            }
            out.println("seed " + line.get("seed") + ", " + line.get("threads") + " threads, " + line.get("fabric")
                    + ": " + (isGood ? "every request is accounted for" : line.get("findingCount") + " failures"));
        });
    }

    /** All soaks of a job are told; whether nothing was found. */
    boolean finished() {
        output.printForPrograms(results.line(null));
        return results.areGood();
    }

    private static void tell(PrintWriter out, SoakResult result) {
        table(out, "calls", result.verbs(), result.seconds());
        table(out, "requests drawn", result.requests(), result.seconds());
        table(out, "completions", result.statuses(), result.seconds());
        table(out, "refusals", result.refusals(), result.seconds());
        table(out, "events", result.events(), result.seconds());
        table(out, "requests", result.totals(), result.seconds());
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

    private static void table(PrintWriter out, String title, Map<String, Long> counts, double seconds) {
        out.println(title);
        counts.forEach((name, count) ->
                out.println(String.format(Locale.ROOT, "  %-44s %12d %12.1f/s", name, count, count / seconds)));
        out.println();
    }
}
