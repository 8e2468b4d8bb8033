// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.explore.Minimizer.Minimal;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.Choices;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Explores until something is wrong, and makes it small. Says what it found in values that every class loader knows, since
 * it is itself loaded with engines that make mistakes.
 */
public final class FirstFailure {

    private FirstFailure() {}

    /** As {@link #find} with programs of all types. */
    public static List<Object> findAmongAllTypes(String kind, int mostPrograms, int mostTries) {
        return find(PairType.ALL, kind, mostPrograms, mostTries);
    }

    /**
     * Runs programs of RC queue pairs of seed 1 until one shows failure of that kind.
     *
     * @return number of the program, kind of what is wrong when what is left of it runs again from its file, how many posts
     *     that has, how many choices are not the first alternative, the file, the list of choices; empty if none is wrong
     */
    public static List<Object> find(String kind, int mostPrograms, int mostTries) {
        return find(PairType.PLAIN, kind, mostPrograms, mostTries);
    }

    private static List<Object> find(Set<PairType> types, String kind, int mostPrograms, int mostTries) {
        for (int number = 0; number < mostPrograms; number++) {
            Scenario program = ProgramMaker.make(1, number, types);
            ProgramResult executed = ProgramRun.run(program, new ChoiceBias(new Draw(1, number, 1)));
            Predicate<RunFailure> wanted = failure -> failure.kind().equals(kind);
            if (executed.failures().stream().anyMatch(wanted)) {
                return describe(number, kind, new Minimizer(mostTries).shrink(program, executed, kind));
            }
        }
        return List.of();
    }

    private static List<Object> describe(int number, String kind, Minimal minimal) {
        String file = ScenarioWriter.write(minimal.scenario());
        String list = minimal.choices().toString();
        ProgramResult again = ProgramRun.run(
                ScenarioReader.read("shrunk.yaml", file).scenario(), Choices.replayed(ChoiceList.parse(list)));
        return List.of(
                number,
                again.shows(kind) ? kind : again.failures().toString(),
                ProgramFigures.of(minimal.scenario()).requests(),
                minimal.choices().deviations().size(),
                file,
                list,
                minimal.tries());
    }
}
