// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code soak}: its words. What it does is tested in a JVM of its own. */
class SoakCommandTest {

    @ParameterizedTest
    @CsvSource({
        "--minutes=0, 0.0 seconds",
        "--seconds=-1, -1.0 seconds",
        "--minutes=99999999999, 5999999999940 seconds",
        "--threads=0, 1..64",
        "--threads=65, 1..64",
        "--fabric=tape, tcp"
    })
    void wrongOptionsAreRefusedInOneLine(String option, String word) {
        Invocation.of("soak", option).failed(2, word, "see verbatim soak --help");
    }

    @Test
    void oneWordForTheTimeIsEnough() {
        Invocation.of("soak", "--minutes=1", "--seconds=1").failed(2, "--minutes", "--seconds", "specify one");
    }

    @Test
    void helpSaysThatARunCannotBeRepeatedExactly() {
        assertThat(Invocation.of("soak", "--help").succeeded().out())
                .contains("--minutes", "--seconds", "--seed", "--threads", "--fabric", "--json")
                .containsPattern("cannot be\\s+repeated exactly");
    }
}
