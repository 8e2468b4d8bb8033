// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.run.FabricKind;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What the sanitizer says of a program.
 *
 * @param errors in runs with default choices and with seeds
 * @param notes in the same runs
 */
record Verdict(Set<String> errors, Set<String> notes) {

    private static final String BY = "sanitizer";

    /** Runs with default choices, and then with the seeds from 0. */
    static Verdict of(Supplier<Scenario> scenario, int seeds) {
        Set<String> errors = new TreeSet<>();
        Set<String> notes = new TreeSet<>();
        for (long seed = -1; seed < seeds; seed++) {
            ScenarioRun.Result result = ScenarioRun.on(FabricKind.SIM)
                    .seed(seed < 0 ? null : seed)
                    .sanitize(true)
                    .run(scenario.get());
            result.failures().stream()
                    .filter(failure -> failure.step().equals(BY))
                    .map(Failure::message)
                    .forEach(errors::add);
            result.notes().forEach(note -> notes.add(note.toString()));
        }
        return new Verdict(errors, notes);
    }

    /** Whether anything was found. */
    Label label() {
        return errors.isEmpty() && notes.isEmpty() ? Label.NO : Label.YES;
    }

    @Override
    public String toString() {
        return label() == Label.NO ? "nothing found" : String.join("\n", errors) + String.join("\n", notes);
    }
}
