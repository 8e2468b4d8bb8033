// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.network.EventNames;

/** Something that can happen next, and how. */
final class SimEvent implements PossibleEvent {

    private final ChoicePoint point;
    private final Object identity;
    private final Runnable effect;
    private final EventNames names;

    /** The event is named by {@code identity.toString()}, which is called only when it is printed. */
    SimEvent(ChoicePoint point, Object identity, EventNames names, Runnable effect) {
        this.point = point;
        this.identity = identity;
        this.names = names;
        this.effect = effect;
    }

    @Override
    public String key() {
        return identity.toString();
    }

    @Override
    public String text() {
        return names.textOf(identity);
    }

    @Override
    public ChoicePoint point() {
        return point;
    }

    void happen() {
        effect.run();
    }

    @Override
    public String toString() {
        return key();
    }
}
