// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.explore.OrderedTasks;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.run.PlatformQuestion;
import dev.verbatim.conformance.scenario.run.PlatformQuestion.Answer;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Weakness;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Tells on which platforms an outcome is possible, and what makes it so. */
final class PlatformReport {

    private static final String ALL = "all";

    private final CommandSpec spec;
    private final PrintWriter out;
    private final boolean json;
    private final long seconds;
    private final int threads;

    /** An answer may take so many seconds; so many threads answer for files at the same time. */
    PlatformReport(CommandSpec spec, boolean json, long seconds, int threads) {
        this.spec = spec;
        this.out = spec.commandLine().getOut();
        this.json = json;
        this.seconds = seconds;
        this.threads = threads;
    }

    /**
     * Tells it of each scenario.
     *
     * @param names of the platforms
     * @param needs the outcome of which it is told what it needs; null for none
     * @return whether all questions were answered in time
     */
    boolean tell(List<ScenarioFile> files, List<String> names, @Nullable String needs) {
        List<Platform> platforms = platforms(spec, names);
        boolean[] isKnown = {true};
        OrderedTasks.each("litmus", threads, files, file -> answers(file, platforms, needs), answers -> {
            out.print(answers.text());
            out.flush();
            isKnown[0] &= answers.isKnown();
        });
        return isKnown[0];
    }

    /** What is told of a file, and whether all of it was found in time. */
    private record Answers(String text, boolean isKnown) {}

    private Answers answers(ScenarioFile file, List<Platform> platforms, @Nullable String needs) {
        Scenario scenario = file.scenario();
        if (!scenario.isMarked()) {
            throw refusal(file.name() + " has no node with a platform or with domains; add platform: COHERENT_HOST");
        }
        OutcomePattern outcome = outcome(file, needs);
        PlatformQuestion question =
                new PlatformQuestion(scenario, outcome, System::nanoTime, TimeUnit.SECONDS.toNanos(seconds));
        StringWriter text = new StringWriter();
        PrintWriter to = new PrintWriter(text);
        if (!json) {
            to.println(file.name() + ": " + outcome);
        }
        boolean isKnown = true;
        for (Platform platform : platforms) {
            Answer answer = question.on(platform);
            isKnown &= answer != Answer.UNKNOWN;
            print(to, file, outcome, platform, answer);
        }
        if (needs != null) {
            printNeeds(to, file, outcome, question);
            isKnown &= question.isCertain();
        }
        return new Answers(text.toString(), isKnown);
    }

    /** The platforms of these names. */
    static List<Platform> platforms(CommandSpec spec, List<String> names) {
        if (names.equals(List.of(ALL))) {
            return Platform.named();
        }
        try {
            return names.stream().map(Platform::named).toList();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage() + ", all", e);
        }
    }

    private OutcomePattern outcome(ScenarioFile file, @Nullable String needs) {
        OutcomePattern stale = file.scenario().stale();
        try {
            OutcomePattern outcome = needs == null ? stale : OutcomePattern.parse(needs);
            if (outcome == null) {
                throw refusal(file.name() + " names no outcome; add stale: {seen: 0}, or give --needs seen=0");
            }
            return outcome;
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException refusal(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void print(PrintWriter to, ScenarioFile file, OutcomePattern outcome, Platform platform, Answer answer) {
        if (json) {
            Map<String, Object> object = object(file, outcome);
            object.put("platform", platform.name());
            object.put("answer", answer.name().toLowerCase(Locale.ROOT));
            to.println(JsonText.of(object));
        } else {
            to.println(String.format(
                    Locale.ROOT,
                    "  %-18s %s",
                    platform.name(),
                    answer == Answer.UNKNOWN ? notSeen() : answer.name().toLowerCase(Locale.ROOT)));
        }
    }

    private void printNeeds(PrintWriter to, ScenarioFile file, OutcomePattern outcome, PlatformQuestion question) {
        Answer answer = question.on(Platform.AS_SPECIFIED);
        List<String> needed = answer == Answer.PERMITTED
                ? question.needs().stream().map(Weakness::label).toList()
                : List.of();
        if (json) {
            Map<String, Object> object = object(file, outcome);
            object.put("possible", answer == Answer.PERMITTED);
            object.put("needs", needed);
            object.put("certain", question.isCertain());
            to.println(JsonText.of(object));
        } else {
            to.println("  " + needs(answer, needed, question.isCertain()));
        }
    }

    private String needs(Answer answer, List<String> needed, boolean isCertain) {
        return switch (answer) {
            case FORBIDDEN -> "no platform permits it";
            case UNKNOWN -> notSeen();
            case PERMITTED ->
                needed.isEmpty()
                        ? "every platform permits it"
                        : (isCertain ? "needs " : "needs at most ") + String.join(", ", needed);
        };
    }

    private String notSeen() {
        return "not seen in " + seconds + " s; give more --seconds";
    }

    private static Map<String, Object> object(ScenarioFile file, OutcomePattern outcome) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("scenario", file.name());
        object.put("outcome", outcome.toString());
        return object;
    }
}
