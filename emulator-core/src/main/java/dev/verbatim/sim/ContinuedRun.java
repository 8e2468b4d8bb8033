// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.List;

/** Makes a run from its beginning of which a {@link DepthFirstExploration} was told a part already: it is told what comes behind that. */
final class ContinuedRun implements Schedule {

    private final DepthFirstExploration walk;

    /** How many decisions the walk made up to there. */
    private final int decided;

    /** The place of the last but one event of these. */
    private final int beforeLastEvent;

    private int position;

    ContinuedRun(DepthFirstExploration walk) {
        this.walk = walk;
        this.decided = walk.path().size();
        this.beforeLastEvent = walk.lastEventBefore(walk.lastEventBefore(decided));
    }

    private boolean isTold() {
        return position < decided;
    }

    @Override
    public int next(List<? extends PossibleEvent> events) {
        if (!isTold()) {
            return walk.next(events);
        }
        return walk.pathNode(position++, events).taken;
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return walk.isOpen(point);
    }

    @Override
    public boolean fixesSomeOrder() {
        return walk.fixesSomeOrder();
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        if (!isTold()) {
            return walk.choose(point, alternatives);
        }
        ExplorationNode node = walk.path().get(position);
        if (node.isOfEvents() || node.point != point) {
            // There is no choice, as the point is off, or no fault is left.
            return 0;
        }
        position++;
        return node.taken;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    @Override
    public boolean weighsNow() {
        return position > beforeLastEvent;
    }

    @Override
    public void awaits(String key, Footprint looks) {
        if (!isTold()) {
            walk.awaits(key, looks);
        }
    }

    @Override
    public void comesLast(String key) {
        if (!isTold()) {
            walk.comesLast(key);
        }
    }

    @Override
    public void disturbed() {
        if (!isTold()) {
            walk.disturbed();
        }
    }

    @Override
    public void happened(PossibleEvent event, Footprint footprint) {
        if (!isTold()) {
            walk.happened(event, footprint);
        }
    }

    @Override
    public String toString() {
        return walk + " from decision " + position + " on";
    }
}
