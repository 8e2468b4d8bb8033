// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ExplorationResult.Ending;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells what was found as the summaries of herd and litmus7 do, for tools that read these. */
final class HerdReport {

    private static final double NANOS_PER_SECOND = 1e9;

    private final @Nullable OutcomePattern asked;

    /**
     * Prepares to tell.
     *
     * @param asked the outcome of which it is asked whether it exists; null for what each file says
     */
    HerdReport(@Nullable OutcomePattern asked) {
        this.asked = asked;
    }

    /** Tells of one file. */
    void tell(PrintWriter out, ScenarioFile file, ExplorationResult findings, long nanos) {
        String name = file.name().replaceAll("^.*[/\\\\]", "").replaceAll("\\.ya?ml$", "");
        HerdCondition condition = HerdCondition.of(file.scenario(), asked);
        List<Ending> endings = findings.endings();
        out.println("Test " + name + " " + (condition == null ? "Allowed" : condition.kind()));
        out.println("States " + endings.size());
        for (Ending ending : endings) {
            out.println(ending.count() + " :>" + ending.outcome().toString().replace(" ", "; ") + ";");
        }
        if (condition != null) {
            tell(out, name, condition, endings);
        }
        if (!findings.explored().isComplete()) {
            out.println("Incomplete " + name + " " + findings.explored().stop());
        }
        out.println(String.format(Locale.ROOT, "Time %s %.2f", name, nanos / NANOS_PER_SECOND));
        out.println();
    }

    private static void tell(PrintWriter out, String name, HerdCondition condition, List<Ending> endings) {
        long positive = 0;
        long negative = 0;
        for (Ending ending : endings) {
            if (condition.holdsIn(ending.outcome())) {
                positive += ending.count();
            } else {
                negative += ending.count();
            }
        }
        out.println(condition.isValidated(positive, negative) ? "Ok" : "No");
        out.println("Witnesses");
        out.println("Positive: " + positive + " Negative: " + negative);
        out.println("Condition " + condition);
        String observed = positive == 0 ? "Never" : negative == 0 ? "Always" : "Sometimes";
        out.println("Observation " + name + " " + observed + " " + positive + " " + negative);
    }
}
