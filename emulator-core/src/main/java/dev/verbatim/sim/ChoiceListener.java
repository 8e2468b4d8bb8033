// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.function.Supplier;

/** Is told of each choice of a run that differs from that of a simple device. */
@FunctionalInterface
public interface ChoiceListener {

    /**
     * Called when the choice was made, before it has an effect.
     *
     * @param point what was chosen
     * @param what which event comes before which; empty if the choice is none of an order
     */
    void chosen(ChoicePoint point, Supplier<String> what);
}
