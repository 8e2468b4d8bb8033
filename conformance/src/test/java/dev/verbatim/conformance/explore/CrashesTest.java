// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A random program comes to its end whichever of its devices crashes, and whenever. */
class CrashesTest {

    private static final long SEED = 5;
    private static final int PROGRAMS = Tries.of("crashes", 8, 250, 250);
    private static final List<Integer> PACKETS = List.of(1, 2, 5, 12);

    @Test
    @Rule("QP-29")
    void aProgramEndsWhicheverDeviceCrashesAtWhicheverOfItsPackets() {
        for (int number = 0; number < PROGRAMS; number++) {
            Scenario program = ProgramMaker.make(SEED, number, PairType.ALL);
            for (String node : program.nodes().keySet()) {
                for (int nth : PACKETS) {
                    ProgramResult executed =
                            ProgramRun.run(crashing(program, node, nth), new ChoiceBias(new Draw(SEED, number, nth)));

                    assertThat(executed.failures())
                            .as("program %d, node %s crashes at its packet %d", number, node, nth)
                            .isEmpty();
                }
            }
        }
    }

    private static Scenario crashing(Scenario program, String node, int nth) {
        PacketFault crash = new PacketFault(PacketFault.Kind.CRASH, null, node, null, nth, 1, 0);
        return new Scenario(
                program.title(),
                "",
                List.of(),
                program.nodes(),
                program.connections(),
                List.of(crash),
                program.choices(),
                List.of(),
                List.of(),
                null);
    }
}
