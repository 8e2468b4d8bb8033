// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;

/**
 * Draws choices with a bias, as real machines have one. Where every choice were drawn evenly, all runs would be alike;
 * so each run has points at which it nearly always takes the first alternative, and others at which it hardly does.
 */
final class ChoiceBias implements Choices {

    /** In so many cases of a thousand the first alternative is taken without drawing. */
    private static final int[] TEMPERS = {0, 0, 300, 600, 850, 950};

    private final Draw draw;
    private final int[] firstPerMille = new int[ChoicePoint.values().length];

    ChoiceBias(Draw draw) {
        this.draw = draw;
        for (int i = 0; i < firstPerMille.length; i++) {
            int bias = TEMPERS[draw.below(TEMPERS.length)];
            // What is seldom asked is seldom passed over, or some behaviours would hardly be seen.
            boolean isOrder = ChoicePoint.values()[i].kind() == ChoicePoint.Kind.ORDER;
            firstPerMille[i] = isOrder ? bias : Math.min(bias, TEMPERS[2]);
        }
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return draw.perMille(firstPerMille[point.ordinal()]) ? 0 : draw.below(alternatives);
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && draw.perMille(perMille);
    }
}
