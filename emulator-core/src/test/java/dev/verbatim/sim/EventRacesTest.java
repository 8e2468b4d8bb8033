// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What follows from a run for its events. */
class EventRacesTest {

    private static ExplorationNode event(String key, String touched) {
        ExplorationNode node =
                ExplorationNode.ofEvents(ChoicePoint.PROGRAM_STEP, 1, 1, new String[] {key}, false, List.of(), false);
        node.touchedNow = new Footprint().changes(touched);
        return node;
    }

    private static List<ExplorationNode> run() {
        List<ExplorationNode> run = List.of(event("a", "x"), event("b", "y"), event("c", "x"));
        EventRaces.find(run, 0, List.of(), Set.of("a", "b", "c"));
        return run;
    }

    @Test
    void eventsThatTouchTheSameAreInARace() {
        EventRaces last = run().get(2).follows;

        assertThat(last.before()).hasToString("{0}");
        assertThat(last.races()).hasToString("{0}");
    }
}
