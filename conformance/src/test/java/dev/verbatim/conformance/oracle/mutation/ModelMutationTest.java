// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.windows.Mismatch;
import dev.verbatim.conformance.windows.Program;
import dev.verbatim.conformance.windows.Programs;
import dev.verbatim.conformance.windows.Tally;
import dev.verbatim.testing.Tries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs of windows, held to the reference model, find each mistake that a device makes. docs/conformance.md has a
 * table of how many steps that took: {@code -Dverbatim.ci -Dverbatim.update=true} writes it anew.
 */
class ModelMutationTest {

    /** Every so many mistakes are made. */
    private static final int EVERY = Tries.of("mutations.model.every", 6, 1, 1);

    private static final int MOST_PROGRAMS = 60;
    private static final int MOST_CHARACTERS = 100;
    private static final Path DOCUMENT = Path.of("..", "docs", "conformance.md");
    private static final String HEAD =
            "| mistake | found after steps | steps left of the program | how it shows |\n|---|---|---|---|\n";
    private static final List<Program> PROGRAMS = Programs.first(MOST_PROGRAMS);
    private static final ClassLoader ENGINE = new MutantLoader(mutations().map(ModelMutation::method));
    private static final List<String> ROWS = new ArrayList<>();

    @ParameterizedTest(name = "{0}")
    @MethodSource("some")
    void randomProgramsFindTheMistake(ModelMutation mutation) throws ReflectiveOperationException {
        Tally tally = new Tally();
        Mismatch found = mutation.find(ENGINE, PROGRAMS, tally);
        assertThat(found)
                .as("found in %d steps of %d programs", tally.steps(), MOST_PROGRAMS)
                .isNotNull();
        if (Boolean.getBoolean("verbatim.update")) {
            Mismatch small = mutation.shrink(ENGINE, found);
            ROWS.add(String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %s |\n",
                    mutation.what(),
                    tally.steps() + 1,
                    small.program().steps().size(),
                    abbreviated(small.difference())));
        }
    }

    private static String abbreviated(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }

    @Test
    void documentHasARowForEachMistake() throws IOException {
        assertThat(mutations().map(ModelMutation::what))
                .allSatisfy(what -> assertThat(DOCUMENT).content().contains("\n| " + what + " |"));
    }

    @AfterAll
    static void writeDocument() throws IOException {
        if (!ROWS.isEmpty()) {
            String before = Files.readString(DOCUMENT);
            int from = before.indexOf(HEAD) + HEAD.length();
            int to = before.indexOf("\n\n", from) + 1;
            Files.writeString(DOCUMENT, before.substring(0, from) + String.join("", ROWS) + before.substring(to));
        }
    }

    static Stream<ModelMutation> some() {
        return IntStream.range(0, ModelMutations.TABLE.size())
                .filter(row -> row % EVERY == 0)
                .mapToObj(ModelMutations.TABLE::get);
    }

    private static Stream<ModelMutation> mutations() {
        return ModelMutations.TABLE.stream();
    }
}
