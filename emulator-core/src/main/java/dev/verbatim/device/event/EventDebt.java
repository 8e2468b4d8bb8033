// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

import dev.verbatim.fabric.WaitPoint;
import java.util.function.Supplier;

/**
 * The events of an element that a program took and did not give back: as long as there are any, the element stays (NT-06,
 * AE-20). Once there are none it can be closed, and then nobody can take one any more.
 */
public final class EventDebt extends WaitPoint {

    private int owed;
    private boolean closed;

    /** A program takes an event; false if it came too late, for the element goes. */
    public synchronized boolean taken() {
        if (!closed) {
            owed++;
        }
        return !closed;
    }

    public synchronized void givenBack(int count) {
        owed -= count;
        if (owed == 0) {
            signal();
        }
    }

    public synchronized int owed() {
        return owed;
    }

    /** Whether nothing is owed; then nothing ever will be. */
    synchronized boolean close() {
        closed |= owed == 0;
        return closed;
    }

    @Override
    protected Supplier<String> waitedFor() {
        return () -> "events of what is destroyed were fetched and not acknowledged, so many: " + owed()
                + "; acknowledge them";
    }

    @Override
    protected boolean ready() {
        return owed == 0;
    }
}
