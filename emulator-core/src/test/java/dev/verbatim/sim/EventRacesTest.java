// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What follows from a run is taken over from another walk only if both knew the same of the events before. */
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

    @Test
    void walkThatKnewTheSameTakesItOver() {
        List<ExplorationNode> other = run();
        List<EventRaces> found = EventRaces.of(run());
        other.get(2).follows = EventRaces.UNKNOWN;

        assertThat(EventRaces.take(other, 2, found)).isTrue();
        assertThat(other.get(2).follows).isSameAs(found.get(2));
    }

    @Test
    void walkThatKnewSomethingElseFindsItItself() {
        List<ExplorationNode> other = run();
        other.get(0).follows = new EventRaces(new BitSet(), new BitSet(), 0, new BitSet());
        other.get(2).follows = EventRaces.UNKNOWN;

        assertThat(EventRaces.take(other, 2, EventRaces.of(run()))).isFalse();
        assertThat(other.get(2).follows).isSameAs(EventRaces.UNKNOWN);
    }

    @Test
    void longerRunIsAnother() {
        List<ExplorationNode> run = run();

        assertThat(EventRaces.take(run, 0, EventRaces.of(run.subList(0, 2)))).isFalse();
    }
}
