// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A node that is told what its copy was told wants what it would want if it had been told itself. */
class ExplorationNodeCopyTest {

    private static final int CASES = 2_000;
    private static final int EVENTS = 5;

    private final Random random = new Random(1);

    private static ExplorationNode node() {
        String[] keys = {"a", "b", "c", "d", "e"};
        ExplorationNode node =
                ExplorationNode.ofEvents(ChoicePoint.PROGRAM_STEP, EVENTS, EVENTS, keys, false, List.of(), false);
        node.selectFirst(List.of());
        return node;
    }

    /** What runs find to be wanted: one of some events, or others than those that make some impossible; much of it again and again. */
    private List<Consumer<ExplorationNode>> finds(int most) {
        List<Consumer<ExplorationNode>> finds = new ArrayList<>();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            finds.add(
                    switch (random.nextInt(4)) {
                        case 0 -> ExplorationNode::keepsImpossible;
                        case 1 -> demand();
                        default -> makesImpossible(1 + random.nextInt(EVENTS - 1));
                    });
        }
        return finds;
    }

    private static Consumer<ExplorationNode> makesImpossible(int index) {
        return node -> node.makesImpossible(index);
    }

    private Consumer<ExplorationNode> demand() {
        List<String> sequence = new ArrayList<>(List.of("b", "c", "d", "e"));
        Collections.shuffle(sequence, random);
        BitSet events = BitSet.valueOf(new long[] {2L * (1 + random.nextInt((1 << EVENTS - 1) - 1))});
        int itself = random.nextBoolean() ? events.nextSetBit(0) : -1;
        return node -> node.wantOneOf(events, itself, () -> sequence);
    }

    private static String wants(ExplorationNode node) {
        WantedEvents wanted = node.state().wanted();
        return wanted.indices + " " + wanted.impossible + " " + wanted.demands + " " + wanted.guides;
    }

    @Test
    void nodeIsToldWhatItsCopyWasTold() {
        for (int i = 0; i < CASES; i++) {
            ExplorationNode node = node();
            ExplorationNode itself = node();
            List<Consumer<ExplorationNode>> before = finds(4);
            List<Consumer<ExplorationNode>> meanwhile = finds(4);
            List<Consumer<ExplorationNode>> below = finds(8);
            before.forEach(find -> find.accept(node));
            ExplorationNode copy = node.pinnedCopy();
            meanwhile.forEach(find -> find.accept(node));
            below.forEach(find -> find.accept(copy));

            node.tellAsTo(copy);

            List.of(before, meanwhile, below).forEach(finds -> finds.forEach(find -> find.accept(itself)));
            assertThat(wants(node)).as("case %d", i).isEqualTo(wants(itself));
        }
    }
}
