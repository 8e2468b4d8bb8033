// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static dev.verbatim.sim.ToyProgram.Op.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.sim.ToyProgram.Op;
import dev.verbatim.sim.ToyProgram.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Toy systems whose outcomes are known. */
class ExplorationTest {

    private static final ToyProgram MESSAGE_PASSING =
            ToyProgram.of(List.of(step(WRITE, 0, 1), step(WRITE, 1, 1)), List.of(step(READ, 1, 0), step(READ, 0, 0)));

    @Test
    void messagePassingNeverShowsTheFlagWithoutTheMessage() {
        Explored explored = new Exploration(Freedom.LEGAL).run(MESSAGE_PASSING);
        assertThat(explored.isComplete()).isTrue();
        assertThat(registers(explored)).containsExactlyInAnyOrder("[[], [0, 0]]", "[[], [0, 1]]", "[[], [1, 1]]");
    }

    private static Step step(Op op, int target, int value) {
        return Step.of(op, target, value);
    }

    private static List<String> registers(Explored explored) {
        return explored.outcomes().keySet().stream()
                .map(outcome -> outcome.substring(outcome.indexOf(']') + 1, outcome.lastIndexOf('[')))
                .distinct()
                .toList();
    }
}
