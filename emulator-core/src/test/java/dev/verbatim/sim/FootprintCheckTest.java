// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.sim.ToyProgram.Op;
import dev.verbatim.sim.ToyProgram.Step;
import dev.verbatim.testing.FootprintCheck;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The check that checks footprints finds those that leave something out. */
class FootprintCheckTest {

    private static final ToyProgram PROGRAM = ToyProgram.of(
            List.of(Step.of(Op.WRITE, 0, 1), Step.of(Op.SEND, 0, 7), Step.of(Op.WRITE_LATER, 1, 2)),
            List.of(Step.of(Op.READ, 1, 0), Step.of(Op.RECEIVE, 0, 0), Step.of(Op.READ, 0, 0)),
            List.of(Step.of(Op.CHOOSE, 2, 3), Step.of(Op.READ, 0, 0)));

    private static List<String> differences(Exploration.Program program) {
        FootprintCheck check = new FootprintCheck(OpenChoices.LEGAL, program);
        return LongStream.range(0, 2_000)
                .mapToObj(seed -> check.difference(seed, (int) (seed % 9)))
                .filter(Objects::nonNull)
                .toList();
    }

    @Test
    void eventsThatDoNotTouchEachOtherChangePlaces() {
        assertThat(differences(PROGRAM)).isEmpty();
    }

    @Test
    void footprintThatLeavesOutReadsIsFound() {
        assertThat(differences(PROGRAM.withFootprintsThatForgetReads())).isNotEmpty();
    }
}
