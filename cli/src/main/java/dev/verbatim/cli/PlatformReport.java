// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.explore.OrderedTasks;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.run.PlatformQuestion;
import dev.verbatim.conformance.scenario.run.PlatformQuestion.Answer;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Weakness;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Tells on which platforms an outcome is possible, and what makes it so. */
final class PlatformReport {

    private static final String ALL = "all";

    private final CommandSpec spec;
    private final Output output;
    private final long seconds;
    private final int threads;

    /** An answer may take so many seconds; so many threads answer for files at the same time. */
    PlatformReport(CommandSpec spec, Output output, long seconds, int threads) {
        this.spec = spec;
        this.output = output;
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
            output.print(answers.lines(), answers::text);
            isKnown[0] &= answers.isKnown();
        });
        return isKnown[0];
    }

    private record On(String scenario, String outcome, String platform, String answer) {}

    private record Needs(String scenario, String outcome, boolean possible, List<String> needs, boolean certain) {}

    /** What is told of a file, for programs and for people, and whether all of it was found in time. */
    private record Answers(List<Object> lines, List<String> sentences, boolean isKnown) {
        void text(PrintWriter out) {
            sentences.forEach(out::println);
        }
    }

    private Answers answers(ScenarioFile file, List<Platform> platforms, @Nullable String needs) {
        Scenario scenario = file.scenario();
        if (!scenario.isMarked()) {
            throw refusal(file.name() + " has no node with a platform or with domains; add platform: COHERENT_HOST");
        }
        OutcomePattern outcome = outcome(file, needs);
        PlatformQuestion question =
                new PlatformQuestion(scenario, outcome, System::nanoTime, TimeUnit.SECONDS.toNanos(seconds));
        List<Object> lines = new ArrayList<>();
        List<String> sentences = new ArrayList<>(List.of(file.name() + ": " + outcome));
        boolean isKnown = true;
        for (Platform platform : platforms) {
            Answer answer = question.on(platform);
            isKnown &= answer != Answer.UNKNOWN;
            String word = answer.name().toLowerCase(Locale.ROOT);
            lines.add(new On(file.name(), outcome.toString(), platform.name(), word));
            sentences.add(String.format(
                    Locale.ROOT, "  %-18s %s", platform.name(), answer == Answer.UNKNOWN ? notSeen() : word));
        }
        if (needs != null) {
            Answer answer = question.on(Platform.AS_SPECIFIED);
            boolean isPossible = answer == Answer.PERMITTED;
            List<String> needed =
                    isPossible ? question.needs().stream().map(Weakness::label).toList() : List.of();
            lines.add(new Needs(file.name(), outcome.toString(), isPossible, needed, question.isCertain()));
            sentences.add("  " + needs(answer, needed, question.isCertain()));
            isKnown &= question.isCertain();
        }
        return new Answers(lines, sentences, isKnown);
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
}
