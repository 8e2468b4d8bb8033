// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.AddressVector;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
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
     * Whether it has nothing to send but a positive acknowledgement, which may wait a little for what is sent next (ACK-04). On the
     * lane, between its steps.
     */
    default boolean mayWait() {
        return false;
    }

    /**
     * Fills {@code packet} with the next packet to send. On the lane.
     *
     * <p>The payload refers to memory that is valid until the current step of the lane ends: a receiver that keeps it longer copies it,
     * or does so when the device {@linkplain FabricPort#letGo lets go} of the memory. Of what is no run,
     * all payload is gone with the step: its sender may have given it back.
     *
     * <p>If the packet behind it goes over another {@link #link()}, the source has announced itself there, and leaves this one.
     *
     * @return false if there is nothing to send until {@link Link#ready} is called again
     */
    boolean pull(Packet packet);

    /**
     * Begins the next request on the fast path: starts it, and fills {@code request} with it. The link then hands it over and says so
     * ({@link #handedOver}), or leaves it alone: the next {@link #pull(Packet)} gives it as a packet. On the lane.
     *
     * @param isAlone whether only a request is to be begun that none before it is outstanding with
     * @return false if the next packet is to be pulled
     */
    default boolean begin(PlainRequest request, boolean isAlone) {
        return false;
    }

    /** The link took the request that {@link #begin} gave, which may be {@linkplain PlainRequest#isAnswered answered} already. On the lane. */
    default void handedOver(PlainRequest request) {}

    /**
     * Fills {@code answer} with the next answer on the fast path, which counts as sent then. What is said of {@link #pull(Packet)} and
     * its payload holds here too. On the lane.
     *
     * @return false if the next packet is to be pulled; then nothing has changed
     */
    default boolean pull(PlainAnswer answer) {
        return false;
    }

    /**
     * Whether it stays in the line of a link that has just pulled a packet: not if its next packet goes over another, nor if it
     * knows that it has nothing more to send until {@link Link#ready} is called again. On the lane.
     */
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    default boolean staysAt(@Nullable Link over) {
        return link() == over;
    }

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

    /** Number of the queue pair that sends; 0 if there is none. */
    default int queuePair() {
        return 0;
    }

    /** The link of its packets, except for datagrams, which have their own; null if there is none yet. On the lane. */
    default @Nullable AddressVector path() {
        return null;
    }

    /** The point that lets its next packet wait, where packets may. On the lane. */
    default ChoicePoint point() {
        return ChoicePoint.REQUEST;
    }
}
