// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;

/**
 * The way to one peer device in one of its lives: the one that was there when the link was first asked for, or else the
 * first that came. A peer that went away and came back is reached by another link, so whoever holds the old one neither
 * reaches nor hears the new peer. A link loses packets when its peer is not there.
 */
public interface Link {

    /** GID of the peer. */
    Gid peer();

    /**
     * Whether it keeps order and loses nothing at present; timers may then wait longer before they believe in a loss.
     */
    boolean isReliable();

    /**
     * Changes whenever it becomes reliable anew: what was handed over before that may be lost. The device is told then
     * ({@link PacketSink#linkResumed}). On the lane.
     */
    default int resumptions() {
        return 0;
    }

    /** Bytes that it has pulled so far. On the lane. */
    default long handedOver() {
        return 0;
    }

    /**
     * How many of those its carrier has taken, which are on their way, or else are lost for good; as many for links that
     * keep nothing. On the lane.
     */
    default long taken() {
        return handedOver();
    }

    /**
     * Of how many packets at most a {@linkplain dev.verbatim.wire.SegmentRun run} may be that it pulls; 1 where packets are lost,
     * delayed or chosen among one by one.
     */
    default int mostPacketsOfRun() {
        return 1;
    }

    /** As {@link FabricPort#letGo}, for all memory that this link refers to: a queue pair that it serves has failed or ended. On the lane. */
    default void letGo() {}

    /**
     * Watches the peer: when it goes away the sink is told {@link PacketSink#carrierLost}, once. A device does so as long as it has
     * connections or requests that end with the peer. On the lane.
     */
    default void watchPeer() {}

    /**
     * {@code source} has something to send: it is pulled, in turn with others, until it has nothing more. On the lane.
     */
    void ready(PacketSource source);
}
