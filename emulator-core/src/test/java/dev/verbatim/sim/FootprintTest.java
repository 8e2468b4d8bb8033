// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.fabric.carrier.SplitMix64;
import dev.verbatim.sim.Footprint.Access;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What footprints say of each other, beside what their accesses say one by one. */
class FootprintTest {

    private static final int PAIRS = 20_000;
    private static final List<String> OBJECTS =
            List.of("a/17 request", "a/17 response", "a/17 state", "a keys", "memory", "b completions", "program a");

    @Test
    void footprintsConflictAsTheirAccessesDo() {
        SplitMix64 random = new SplitMix64(33);
        for (int i = 0; i < PAIRS; i++) {
            Footprint one = drawn(random);
            Footprint two = drawn(random);
            assertEquals(conflicts(one, two, false), one.conflictsWith(two), () -> one + " and " + two);
            assertEquals(conflicts(one, two, true), one.changesWhatTouches(two), () -> one + " and " + two);
            assertEquals(precedes(one, two), one.mustPrecede(two), () -> one.inTurn() + " and " + two.inTurn());
        }
    }

    private static Footprint drawn(SplitMix64 random) {
        Footprint drawn = new Footprint();
        int steps = random.below(6);
        for (int i = 0; i < steps; i++) {
            switch (random.below(12)) {
                case 0 -> drawn.clear();
                case 1 -> drawn.keepChanges();
                case 2 -> drawn.addAll(new Footprint().add(access(random)).addInTurn(access(random)));
                case 3 -> drawn.onlyInTurn(access(random));
                case 4, 5 -> drawn.addInTurn(access(random));
                case 6 -> drawn = new Footprint().addAll(drawn);
                default -> drawn.add(access(random));
            }
        }
        return random.below(50) == 0 ? drawn.everything() : drawn;
    }

    private static Access access(SplitMix64 random) {
        long from = random.below(3);
        return new Access(
                OBJECTS.get(random.below(OBJECTS.size())), from, from + 1 + random.below(2), random.below(2) == 0);
    }

    private static boolean conflicts(Footprint one, Footprint two, boolean byChangesOfOne) {
        return one.isEverything()
                || two.isEverything()
                || one.touches().stream()
                        .filter(access -> access.changes() || !byChangesOfOne)
                        .anyMatch(access -> two.touches().stream().anyMatch(access::conflictsWith));
    }

    private static boolean precedes(Footprint one, Footprint two) {
        return one.inTurn().stream()
                .filter(Access::changes)
                .anyMatch(access -> two.inTurn().stream().anyMatch(access::conflictsWith));
    }
}
