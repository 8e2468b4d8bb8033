// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.fabric.WaitPoint;
import java.util.function.BooleanSupplier;

/** The threads that wait for completions of one queue. Waking costs one read if there are none. */
final class CqWaiters extends WaitPoint {

    private final BooleanSupplier settled;

    /**
     * No thread waits.
     *
     * @param settled whether it is worth looking again; asked again by who is about to park
     */
    CqWaiters(BooleanSupplier settled) {
        this.settled = settled;
    }

    @Override
    protected boolean ready() {
        return settled.getAsBoolean();
    }

    /** Lets those who wait look again. From any thread, after what they are to see. */
    void wake() {
        if (hasParked()) {
            signal();
        }
    }
}
