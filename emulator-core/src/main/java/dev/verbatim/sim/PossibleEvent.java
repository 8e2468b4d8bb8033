// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;

/** An event that can be next in a simulation. */
public interface PossibleEvent {

    /**
     * Identifies the event among all events of a run. It is the same in all runs with the same beginning, as long as only
     * independent events happen before it.
     */
    String key();

    /** Describes the event in the words of traces; two events may have the same description. */
    default String text() {
        return key();
    }

    /** The point whose choice may let it wait. */
    ChoicePoint point();
}
