// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The path to one incarnation of a peer device: the one that was attached when the link was requested, or else the first one that
 * attaches later. A peer that is closed and attached again is reached by another link; the old one neither reaches nor receives
 * from it. A link loses packets while its peer is absent.
 */
public interface Link {

    /** GID of the peer. */
    Gid peer();

    /** Whether it currently keeps the order and loses nothing, so that senders may wait longer before they assume a loss. */
    boolean isReliable();

    /**
     * How often it became reliable again. What was handed over before may be lost; the device is told by {@link PacketSink#linkResumed}.
     * On the lane.
     */
    default int resumptions() {
        return 0;
    }

    /** Number of bytes it has pulled. On the lane. */
    default long handedOver() {
        return 0;
    }

    /**
     * Number of these bytes that its carrier has taken: they are on their way or lost. Equal to {@link #handedOver} for links that store
     * nothing. On the lane.
     */
    default long taken() {
        return handedOver();
    }

    /**
     * Maximum number of packets of a {@linkplain dev.verbatim.wire.SegmentRun run} that it pulls; 1 where packets are lost, delayed or
     * reordered one by one.
     */
    default int mostPacketsOfRun() {
        return 1;
    }

    /**
     * Maximum number of request packets that a queue pair may have unacknowledged on this way, where a burst overflows buffers: the
     * queue pair sends fewer of them at a time after a loss. 0, the default, where the bound of the device is enough.
     */
    default int sendWindowPackets() {
        return 0;
    }

    /** As {@link FabricPort#letGo}, for all memory that this link refers to: a queue pair that it serves has failed or ended. On the lane. */
    default void letGo() {}

    /**
     * Watches the peer: when it goes away the sink is told {@link PacketSink#carrierLost}, once. A device does so as long as it has
     * connections or requests that end with the peer. On the lane.
     */
    default void watchPeer() {}

    /**
     * Why the peer answered a request with a NAK, where its device is at hand in this JVM; null where it is not, or knows no reason. The
     * answer is at hand with the NAK: it says what happened before that was sent. On the lane.
     *
     * @param qp the queue pair here, which asked
     * @param peerQp that of the peer
     * @param psn of the NAK
     */
    default @Nullable Refusal reasonOfNak(int qp, int peerQp, int psn) {
        return null;
    }

    /**
     * Why the peer does not answer a queue pair, where its device is at hand in this JVM; null where it is not, or is ready to answer. On
     * the lane.
     *
     * @param qp the queue pair here, which asked
     * @param peerQp that of the peer
     */
    default @Nullable Refusal reasonOfSilence(int qp, int peerQp) {
        return null;
    }

    /** Why what is given to it now does not arrive, where that is known here; null if it may arrive. On the lane. */
    default @Nullable Refusal reasonOfLoss() {
        return null;
    }

    /**
     * Announces that {@code source} has something to send. It is pulled, in turn with others, until it has nothing more. On the lane.
     */
    void ready(PacketSource source);
}
