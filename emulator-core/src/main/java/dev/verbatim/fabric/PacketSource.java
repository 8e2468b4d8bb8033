// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.wire.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Has packets to send: requester or responder of a queue pair. A link pulls packets when it can take them, and stores none.
 */
public interface PacketSource {

    /** Whether the next pull may give a packet; if not, it gives none and changes nothing. On the lane, between its steps. */
    default boolean hasMore() {
        return true;
    }

    /**
     * Fills {@code packet} with the next packet to send. On the lane.
     *
     * <p>The payload refers to memory that is valid until the current step of the lane ends: whoever keeps it longer copies it,
     * or does so when the device {@linkplain FabricPort#letGo lets go} of the memory. Of what is no run,
     * all payload is gone with the step: its sender may have given it back.
     *
     * <p>If the packet behind it goes over another {@link #link()}, the source has announced itself there, and leaves this one.
     *
     * @return false if there is nothing to send until {@link Link#ready} is called again
     */
    boolean pull(Packet packet);

    /**
     * The link's turn for this source threw something after the source was pulled: the packet is lost, and the source is no
     * longer announced. On the lane.
     */
    default void failed(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /**
     * The link that the packets go to at present; null if to none. A link passes over a source that has left it since it
     * was announced.
     */
    @Nullable
    Link link();

    /** The point that lets its next packet wait, where packets may. On the lane. */
    default ChoicePoint point() {
        return ChoicePoint.REQUEST;
    }
}
