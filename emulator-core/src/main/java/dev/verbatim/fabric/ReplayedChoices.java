// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.fabric.ChoiceList.Deviation;
import org.jspecify.annotations.Nullable;

/** Makes the choices of a list again, and sees to it that they are asked for as they were. */
final class ReplayedChoices implements Choices {

    /** The choices of the empty list, which fit any run: the defaults. */
    static final Choices OF_NONE = new Choices() {
        @Override
        public int choose(ChoicePoint point, int alternatives) {
            return 0;
        }

        @Override
        public boolean isOpen(ChoicePoint point) {
            return false;
        }

        @Override
        public String toString() {
            return "canonical choices";
        }
    };

    private final ChoiceList list;
    private int position;
    private int used;
    private @Nullable String mismatch;

    ReplayedChoices(ChoiceList list) {
        this.list = list;
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        if (mismatch != null) {
            throw new StaleChoicesException(mismatch);
        }
        if (alternatives == 1) {
            return 0;
        }
        int at = position++;
        if (used == list.deviations().size() || list.deviations().get(used).position() != at) {
            return 0;
        }
        Deviation recorded = list.deviations().get(used++);
        if (recorded.point() != point || recorded.alternatives() != alternatives) {
            mismatch = "the recorded choices do not match the run: choice " + at + " was recorded as " + recorded
                    + ", but the run asks for " + point.label()
                    + " with alternatives=" + alternatives
                    + "; replay the same program with the same choice points on the same version, or remove the choices";
            throw new StaleChoicesException(mismatch);
        }
        return recorded.taken();
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    @Override
    public String toString() {
        return "replayed " + list;
    }
}
