// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;

/** An event that can be next in a simulation. */
public interface PossibleEvent {

    /**
     * What it is, in a way that tells it from all others of a run and stays the same, in all runs that begin alike, for as
     * long as what happens instead has nothing to do with it.
     */
    String key();

    /** What it is, for people, in the words of traces: two events may have the same. */
    default String text() {
        return key();
    }

    /** The point whose choice may let it wait. */
    ChoicePoint point();
}
