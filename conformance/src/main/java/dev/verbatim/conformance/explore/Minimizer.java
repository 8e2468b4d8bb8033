// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Shrinker;
import dev.verbatim.sim.Shrunk;
import java.util.List;

/** Makes a failure of a program small: its steps, what it has, and the choices with which it fails. */
public final class Minimizer {

    private static final int MOST_LINES = 300;

    private final int mostTries;

    /** One that runs the program so often at most. */
    public Minimizer(int mostTries) {
        this.mostTries = mostTries;
    }

    /**
     * A failure in its smallest form that was found.
     *
     * @param scenario what is left of the program
     * @param choices with which it fails
     * @param tries how many runs it took
     * @param failures what is wrong with it
     * @param story its trace as text, in which what comes again and again stands once
     */
    public record Minimal(Scenario scenario, ChoiceList choices, int tries, List<RunFailure> failures, String story) {
        /** Copies the list. */
        public Minimal {
            failures = List.copyOf(failures);
        }
    }

    /** Shrinks a run that was wrong; what comes out is wrong in the same way as the first of its failures. */
    public Minimal shrink(Scenario program, ProgramResult failed) {
        return shrink(program, failed, failed.failures().get(0).kind());
    }

    /** The same for a kind of failure that the run shows. */
    Minimal shrink(Scenario program, ProgramResult failed, String kind) {
        ProgramParts parts = new ProgramParts(program);
        Shrunk<ProgramPart> shrunk = new Shrinker(mostTries)
                .shrink(parts.all(), failed.choices(), (tried, choices) -> fails(parts, tried, choices, kind));
        Scenario smallest = titled(parts.scenario(shrunk.program()), "what is left of " + program.title(), kind);
        FoldedTrace story = new FoldedTrace();
        ProgramResult last = ProgramRun.run(smallest, Choices.replayed(shrunk.choices()), story);
        return new Minimal(smallest, shrunk.choices(), shrunk.tries(), last.failures(), shortened(story.text()));
    }

    private static Scenario titled(Scenario scenario, String title, String kind) {
        return new Scenario(
                title,
                "It shows trouble with " + kind,
                List.of(),
                scenario.nodes(),
                scenario.connections(),
                scenario.faults(),
                scenario.choices(),
                List.of(),
                List.of(),
                null);
    }

    private static boolean fails(ProgramParts parts, List<ProgramPart> tried, Choices choices, String kind) {
        Scenario scenario = parts.scenario(tried);
        return ProgramValidity.of(scenario) && ProgramRun.run(scenario, choices).shows(kind);
    }

    private static String shortened(String story) {
        List<String> lines = story.lines().toList();
        if (lines.size() <= MOST_LINES) {
            return story;
        }
        return String.join("\n", lines.subList(0, MOST_LINES)) + "\n... and " + (lines.size() - MOST_LINES)
                + " more lines; see them by --trace FILE.txt\n";
    }
}
