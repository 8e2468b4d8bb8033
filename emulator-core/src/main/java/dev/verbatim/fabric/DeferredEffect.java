// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import org.jspecify.annotations.Nullable;

/** An effect that is due on a lane, and may wait there while other things happen first. */
public abstract class DeferredEffect {

    private final ChoicePoint point;

    /** An effect that may wait at {@code point}. */
    protected DeferredEffect(ChoicePoint point) {
        this.point = point;
    }

    /** The point that lets it wait. */
    public final ChoicePoint point() {
        return point;
    }

    /** Whether nothing that must come before it is waiting still. */
    public abstract boolean isNext();

    /** The source of packets that has a turn when all effects like this were had; null if none waits for it. */
    public @Nullable PacketSource awaitedBy() {
        return null;
    }

    /** Has the effect. On the lane, once. */
    public abstract void happen();

    /** What it is, told from all others of its lane. */
    @Override
    public abstract String toString();
}
