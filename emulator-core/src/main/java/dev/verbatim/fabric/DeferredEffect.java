// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import org.jspecify.annotations.Nullable;

/** An effect that is due on a lane and may be deferred while other events happen first. */
public abstract class DeferredEffect {

    private final ChoicePoint point;

    /** An effect that may wait at {@code point}. */
    protected DeferredEffect(ChoicePoint point) {
        this.point = point;
    }

    /** The choice point that lets it be deferred. */
    public final ChoicePoint point() {
        return point;
    }

    /** Whether no effect that must come before it is still deferred. */
    public abstract boolean isNext();

    /** The source that gets its turn when all such effects have taken place; null if none waits. */
    public @Nullable PacketSource awaitedBy() {
        return null;
    }

    /** What the effects have in common that take place in the order in which they were deferred; null if there are no others. */
    public @Nullable String order() {
        return null;
    }

    /** Lets the effect take place. On the lane, once. */
    public abstract void happen();

    /** Identifies it among all effects of its lane. */
    @Override
    public abstract String toString();
}
