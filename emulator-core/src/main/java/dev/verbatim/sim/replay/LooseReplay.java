// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import java.util.List;

/**
 * Makes the choices of a list as far as they fit a run that may be another than the recorded one: a deviation waits until
 * its point is asked, and is the last alternative where there are fewer now.
 */
public final class LooseReplay implements Choices {

    private final List<ChoiceList.Deviation> deviations;
    private int position;
    private int used;

    public LooseReplay(ChoiceList list) {
        this.deviations = list.deviations();
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        if (alternatives == 1 || used == deviations.size()) {
            return 0;
        }
        ChoiceList.Deviation next = deviations.get(used);
        if (position < next.position() || next.point() != point) {
            position++;
            return 0;
        }
        // Where it came late, those behind it keep their distance from it.
        position = next.position() + 1;
        used++;
        return Math.min(next.taken(), alternatives - 1);
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    @Override
    public String toString() {
        return "loose replay of " + deviations;
    }
}
