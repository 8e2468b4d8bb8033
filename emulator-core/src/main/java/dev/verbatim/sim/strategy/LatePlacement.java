// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import dev.verbatim.fabric.carrier.SplitMix64;

/**
 * Places bytes late and in any order, mostly in pieces, and lets completions be seen late, of the two one later than the other: both happen
 * when nothing else can, or when the time is over. The other events are drawn, or in canonical order.
 */
public final class LatePlacement implements Choices {

    private static final int SPLIT_IN_FOUR = 3;

    private final SplitMix64 sequence;
    private final int length;
    private final boolean isUniform;
    private final boolean isLast;
    private long asked;

    /**
     * Late placement.
     *
     * @param length behind so many choices of events all are drawn
     * @param isUniform whether events that place nothing are drawn
     * @param isLast whether bytes are placed behind completions, when nothing else at all can happen; otherwise before them
     */
    public LatePlacement(long seed, int length, boolean isUniform, boolean isLast) {
        this.isLast = isLast;
        this.sequence = new SplitMix64(seed);
        this.length = length;
        this.isUniform = isUniform;
    }

    @Override
    public int chooseEvent(Candidates events) {
        if (events.count() == 1) {
            return 0;
        }
        asked++;
        if (asked > length) {
            return sequence.below(events.count());
        }
        int[] best = new int[events.count()];
        int count = 0;
        int lateness = Integer.MAX_VALUE;
        for (int i = 0; i < events.count(); i++) {
            int its = lateness(events.point(i));
            if (its < lateness) {
                lateness = its;
                count = 0;
            }
            if (its == lateness) {
                best[count++] = i;
            }
        }
        return best[isUniform || lateness > 0 ? sequence.below(count) : 0];
    }

    private int lateness(ChoicePoint point) {
        return switch (point) {
            case PLACEMENT -> isLast ? 2 : 1;
            case COMPLETION -> isLast ? 1 : 2;
            default -> 0;
        };
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return point == ChoicePoint.PLACEMENT_SPLIT
                ? sequence.below(SPLIT_IN_FOUR + 1) < SPLIT_IN_FOUR ? alternatives - 1 : 0
                : sequence.below(alternatives);
    }

    @Override
    public String toString() {
        return "late placement";
    }
}
