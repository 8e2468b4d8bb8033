// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Choices;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs the programs of some hosts with seeds, and the first runs of a walk through all, and gathers what is reported. */
final class SystemRuns {

    private static final int SEEDS = Tries.of("misuse.systems", 2, 12, 100);

    /** So many runs from the beginning of a walk through all of them. */
    private static final int WALKED = Tries.of("misuse.walked", 2, 12, 700);

    /** A program that READs in a loop may do so for ever: such a run is given up. */
    private static final int MOST_EVENTS = 3000;

    private SystemRuns() {}

    /** What is reported of all runs; a program whose run ends otherwise than it expects fails. */
    static List<Finding> found(boolean pooled, Consumer<Hosts> programs, String... names) {
        return foundInRuns(pooled, programs, names).stream()
                .flatMap(List::stream)
                .toList();
    }

    private static List<List<Finding>> foundInRuns(boolean pooled, Consumer<Hosts> programs, String... names) {
        List<List<Finding>> all = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            all.add(run(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), pooled, programs, names));
        }
        new Exploration(OpenChoices.LEGAL)
                .atMostExecutions(WALKED)
                .atMostEvents(MOST_EVENTS)
                .run(schedule -> {
                    all.add(run(schedule, pooled, programs, names));
                    return "";
                });
        return all;
    }

    private static List<Finding> run(Schedule schedule, boolean pooled, Consumer<Hosts> programs, String... names) {
        Sanitizer sanitizer = Sanitizer.withSites();
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
            simulation.inspect(sanitizer.inspector());
            programs.accept(new Hosts(simulation, sanitizer, pooled, names));
            assertThat(simulation.run()).isTrue();
            return sanitizer.findings();
        }
    }

    static void silent(Consumer<Hosts> programs, String... names) {
        assertThat(found(false, programs, names)).isEmpty();
    }

    static void accusedInEachRun(Mistake mistake, Consumer<Hosts> programs, String... names) {
        assertThat(foundInRuns(false, programs, names))
                .allSatisfy(run -> assertThat(run).extracting(Finding::mistake).contains(mistake));
    }

    static void accused(Mistake mistake, Consumer<Hosts> programs, String... names) {
        assertThat(found(false, programs, names)).extracting(Finding::mistake).contains(mistake);
    }
}
