// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.PacketSource;

/** A lane in virtual time: work happens on it only in steps. */
public interface SteppedLane extends Lane {

    /** A time that does not come. */
    long NEVER = Long.MAX_VALUE;

    @Override
    default boolean isSimulated() {
        return true;
    }

    /** Gives the source its turns. On the lane. */
    void enqueue(PacketSource source);

    /** Gives the sources that have announced themselves to links of a port their turns, until they have nothing more. On the lane. */
    void giveLastTurns(LossyPort port);

    /** One step, wherever in time; false if nothing is left to happen. */
    boolean step();

    /** All that happens in so many nanoseconds; then they have passed. */
    void pass(long nanos);
}
