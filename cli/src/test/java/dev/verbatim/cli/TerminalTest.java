// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.output.Terminal;
import dev.verbatim.conformance.narration.Diagram;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stories fit the terminal. */
class TerminalTest {

    private static final String COLUMNS = "verbatim.columns";

    @AfterEach
    void forget() {
        System.clearProperty(COLUMNS);
    }

    @ParameterizedTest
    @CsvSource({"72, 72", "80, 80", "100, 100", "211, 100", "7, 60", "'', 80", "wide, 80", "-3, 80", "0, 80"})
    void aStoryIsAsWideAsTheTerminalWithinWhatADrawingCanBe(String said, int columns) {
        assertThat(Terminal.columns(said)).isEqualTo(columns);
    }

    @ParameterizedTest
    @ValueSource(ints = {Diagram.LEAST_WIDTH_CHARS, 80, Diagram.MOST_WIDTH_CHARS})
    void noLineOfAStoryIsWiderThanTheTerminal(int columns) {
        System.setProperty(COLUMNS, Integer.toString(columns));
        for (List<String> command : List.of(
                List.of("demo", "--fabric", "in-process"),
                List.of("demo", "--face", "networkdirect", "--fabric", "in-process"),
                List.of("run", "TR-6"),
                List.of("run", "--story", "TR-2"),
                List.of("run", "XRC-01"))) {
            String told =
                    Invocation.of(command.toArray(String[]::new)).succeeded().out();

            assertThat(told.lines().filter(line -> !line.startsWith("ok  ")))
                    .as("%s", command)
                    .hasSizeGreaterThan(10)
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        }
    }

    @Test
    void helpFitsTheTerminal() {
        System.setProperty(COLUMNS, "64");

        assertThat(Invocation.of("explore", "--help").succeeded().out().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(64));
    }
}
