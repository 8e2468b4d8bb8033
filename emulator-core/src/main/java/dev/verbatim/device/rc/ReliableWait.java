// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.fabric.Link;

/**
 * How long the answer to the oldest packet has been waited for on a link that is reliable, in quarters of the longest wait
 * that the rules permit (RT-01).
 *
 * <p>There a silence says that the peer is slow, or that the packet has not left: no quarter counts in which the carrier
 * took bytes while the packet still waited to be taken. If it takes nothing at all, as when the peer has stopped reading
 * for ever, quarters count all the same.
 */
final class ReliableWait {

    private static final int QUARTERS = 4;
    private static final long UNKNOWN = -1;

    private int quarters;
    private boolean held;
    private long taken;

    /** What the carrier must have taken before the packet is on its way. */
    private long awaited = UNKNOWN;

    /** Something came, or something was sent again: the wait begins. */
    void begin() {
        quarters = 0;
        held = false;
        awaited = UNKNOWN;
    }

    /**
     * A quarter has passed; whether the whole wait has, which then begins anew.
     *
     * @param owed whether the packet has not even been handed to the link
     */
    boolean quarterPassed(Link link, boolean owed) {
        if (awaited == UNKNOWN && !owed) {
            awaited = link.handedOver();
        }
        long takenBefore = taken;
        boolean heldBefore = held;
        taken = link.taken();
        held = owed || taken < awaited;
        if (taken != takenBefore && (held || heldBefore)) {
            quarters = 0;
        }
        if (taken == takenBefore || !held) {
            quarters++;
        }
        if (quarters < QUARTERS) {
            return false;
        }
        quarters = 0;
        return true;
    }

    /** Whether the packet had not been taken when the last quarter ended. */
    boolean isHeld() {
        return held;
    }
}
