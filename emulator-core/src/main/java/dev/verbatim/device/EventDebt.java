// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;

/** The events of an element that a program took and did not give back: as long as there are any, the element stays (NT-06, AE-20). */
final class EventDebt extends WaitPoint {

    private int owed;

    synchronized void taken() {
        owed++;
    }

    synchronized void givenBack() {
        owed--;
        if (owed == 0) {
            signal();
        }
    }

    synchronized int owed() {
        return owed;
    }

    @Override
    protected boolean ready() {
        return owed == 0;
    }

    /** Refuses to destroy the element while events of it are owed. */
    void requireSettled(String rule, Object element) {
        int count = owed();
        if (count > 0) {
            throw VerbsException.of(
                    Errno.EBUSY, rule, "%s has %d unacknowledged events; acknowledge them first", element, count);
        }
    }
}
