// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.network.EventNames;
import org.jspecify.annotations.Nullable;

/** Something that can happen next, and how. */
abstract class SimEvent implements PossibleEvent {

    private final ChoicePoint point;
    private final Object identity;
    private final EventNames names;

    /** Made when it is asked for. */
    private @Nullable String key;

    /** The event is named by {@code identity.toString()}, which is called once at most, and does not change while it is possible. */
    SimEvent(ChoicePoint point, Object identity, EventNames names) {
        this.point = point;
        this.identity = identity;
        this.names = names;
    }

    @Override
    public String key() {
        String known = key;
        if (known == null) {
            known = identity.toString();
            key = known;
        }
        return known;
    }

    @Override
    public String text() {
        return names.textOf(identity);
    }

    @Override
    public ChoicePoint point() {
        return point;
    }

    abstract void happen();

    @Override
    public String toString() {
        return key();
    }
}
