// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.mutation.MistakenEngine;
import dev.verbatim.testing.LongTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code explore} upon an engine that makes a mistake. */
@LongTest
class ExploredMistakeTest {

    @Test
    void theCommandSaysHowToSeeTheMistakeAgainAndEndsWithAFailure() throws ReflectiveOperationException {
        List<?> ended = MistakenEngine.callWithoutFences(ExploreInvocation.class.getName(), "call", (Object)
                new String[] {"--types", "rc", "--programs", "3", "--failures", "1", "--seed", "1"});

        assertThat(ended.get(0)).isEqualTo(1);
        assertThat((String) ended.get(1))
                .contains("replay: verbatim explore --seed 1 --types rc --program ")
                .contains("minimized in ")
                .contains("FILE.yaml --choices ")
                .contains("flags: [FENCE")
                .contains("ORD-19: ")
                .contains("us  device")
                .contains(": 1 wrong");
    }
}
