// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.function.Supplier;

/** Receives each choice of a run that is not the default, which is the first alternative of its choice point. */
@FunctionalInterface
public interface ChoiceListener {

    /**
     * Called after the choice was made and before it has an effect.
     *
     * @param point the choice point
     * @param what which event was chosen before which; empty if the choice point does not choose an order of events.
     *     To be asked before the method returns
     */
    void chosen(ChoicePoint point, Supplier<String> what);
}
