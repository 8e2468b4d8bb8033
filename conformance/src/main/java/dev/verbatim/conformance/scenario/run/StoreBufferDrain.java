// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.node.StoreBuffer;
import dev.verbatim.sim.Actor;
import java.util.function.BooleanSupplier;

/** Lets the stores of a thread reach memory, each at a time of its own: between the steps of programs, as if it were one of them. */
final class StoreBufferDrain implements Actor {

    private final StoreBuffer buffer;
    private final BooleanSupplier isThreadDone;

    StoreBufferDrain(StoreBuffer buffer, BooleanSupplier isThreadDone) {
        this.buffer = buffer;
        this.isThreadDone = isThreadDone;
    }

    @Override
    public String name() {
        return buffer.name();
    }

    @Override
    public boolean isDone() {
        return buffer.isEmpty() && isThreadDone.getAsBoolean();
    }

    @Override
    public boolean canStep() {
        return !buffer.isEmpty();
    }

    /** A store that it waits for. */
    @Override
    public boolean awaitsOneThing() {
        return true;
    }

    @Override
    public void step() {
        buffer.drainOldest();
    }
}
