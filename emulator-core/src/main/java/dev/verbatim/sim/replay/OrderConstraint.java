// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoicePoint;
import java.util.List;

/**
 * One thing in which a run differs from the canonical one, told by what happens and not by when: it fits runs that differ elsewhere.
 */
public sealed interface OrderConstraint {

    /**
     * An event waits until others have happened that come behind it in canonical order.
     *
     * @param event the event: its key, and how many events with that key happened before it
     * @param passedBy those that happened while it waited, in their order; it waits for the last of them
     */
    record Wait(String event, List<String> passedBy) implements OrderConstraint {

        /** Copies the list. */
        public Wait {
            passedBy = List.copyOf(passedBy);
        }

        /** It waits for the first so many of them only. */
        public Wait shortened(int count) {
            return new Wait(event, passedBy.subList(0, count));
        }
    }

    /**
     * An event happens before all others as soon as it is possible.
     *
     * @param event its key, and how many events with that key happened before it
     */
    record Rush(String event) implements OrderConstraint {}

    /**
     * Not the first alternative is taken.
     *
     * @param number how many choices at that point were made before
     * @param taken the alternative, from 1
     */
    record Alternative(ChoicePoint point, int number, int taken) implements OrderConstraint {}
}
