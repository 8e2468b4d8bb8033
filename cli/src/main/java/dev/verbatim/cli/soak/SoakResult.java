// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak;

import dev.verbatim.cli.soak.account.Figures;
import dev.verbatim.cli.soak.account.SoakFailure;
import dev.verbatim.cli.soak.account.SoakFailures;
import dev.verbatim.cli.soak.account.Totals;
import dev.verbatim.cli.soak.plan.SoakPlan;
import java.util.List;
import java.util.Map;

/**
 * What came of it.
 *
 * @param plan what was asked for
 * @param seconds how long verbs were called
 * @param totals what became of the requests
 * @param verbs calls by verb
 * @param requests posts by opcode, refused ones included
 * @param statuses completions by status
 * @param refusals by verb, error number and rule
 * @param events taken, by kind
 * @param failures what must not be, the first of it
 * @param findingCount all of it
 * @param isEnded whether it was ended before its time; then nothing was looked for that is left
 */
public record SoakResult(
        SoakPlan plan,
        double seconds,
        Map<String, Long> totals,
        Map<String, Long> verbs,
        Map<String, Long> requests,
        Map<String, Long> statuses,
        Map<String, Long> refusals,
        Map<String, Long> events,
        List<SoakFailure> failures,
        long findingCount,
        boolean isEnded) {

    private static final double NANOS_PER_SECOND = 1e9;

    static SoakResult of(
            SoakPlan plan, Figures figures, Totals totals, SoakFailures failures, long elapsedNanos, boolean isEnded) {
        return new SoakResult(
                plan,
                elapsedNanos / NANOS_PER_SECOND,
                totals.all(),
                figures.verbs.all(),
                figures.requests.all(),
                figures.statuses.all(),
                figures.refusals.all(),
                figures.events.all(),
                failures.kept(),
                failures.count(),
                isEnded);
    }

    /** Whether all is accounted for and nothing is left. */
    public boolean isGood() {
        return findingCount == 0;
    }

    /** How many verbs were called. */
    public long calls() {
        return verbs.values().stream().mapToLong(Long::longValue).sum();
    }
}
