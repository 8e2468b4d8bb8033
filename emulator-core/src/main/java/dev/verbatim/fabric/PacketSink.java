// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import org.jspecify.annotations.Nullable;

/** Receives packets: a device. */
@FunctionalInterface
public interface PacketSink {

    /** Reason of {@link #carrierReported}: a congestion notification was dropped. */
    String CONGESTION_NOTIFICATION = "CONGESTION_NOTIFICATION";

    /** Reason of {@link #carrierReported}: the sockets failed. */
    String SOCKET = "SOCKET";

    /** A packet came over {@code link}; it is valid during the call only. On the lane. */
    void receive(Link link, Packet packet);

    /**
     * A request came over {@code link} on the fast path; it is valid during the call only. On the lane.
     *
     * @param answersNow whether only a request is to be taken whose answer is given in the same step ({@link PlainRequest#isAnswered});
     *     otherwise its answer is pulled as usual
     * @return false if it is to be {@linkplain #receive received} as a packet; then nothing has changed
     */
    default boolean receivePlain(Link link, PlainRequest request, boolean answersNow) {
        return false;
    }

    /**
     * An answer came over {@code link} on the fast path; it is valid during the call only. On the lane.
     *
     * @return false if it is to be {@linkplain #receive received} as a packet; then nothing has changed
     */
    default boolean receivePlain(Link link, PlainAnswer answer) {
        return false;
    }

    /** The carrier of the device's port went away, or is there again; it is there at first (AE-11). On the lane. */
    default void carrierChanged(boolean present) {}

    /**
     * The link {@linkplain Link#resumptions became reliable anew}: what was handed to it before may be lost, and what comes from
     * now on was sent afterwards. Nothing has been pulled since. On the lane.
     */
    default void linkResumed(Link link) {}

    /**
     * The way to a peer that was {@linkplain Link#watchPeer watched} went away, and the time is over that it is given to come back; or
     * another life of the peer came. Only carriers that notice say so. On the lane.
     *
     * @param isGone whether the peer itself is gone: it left, or nobody is where it was
     */
    default void carrierLost(Gid peer, boolean isGone) {}

    /**
     * The carrier dropped a datagram that is no packet, or could not send one. On the lane.
     *
     * @param peer where it came from or was to go; the device's own GID if that is not known
     * @param reason a word for it; {@link #CONGESTION_NOTIFICATION} and {@link #SOCKET} are counted by the device
     */
    default void carrierReported(Gid peer, String reason, String sentence) {}

    /** The carrier does to a packet what it was asked to inject, in words such as "loses". On the lane. */
    default void linkFaulted(Gid from, Gid to, Packet packet, String fault) {}

    /**
     * Why a request was answered with a NAK, for a device of the same JVM; null if that is not known. On the lane.
     *
     * @param requester the device that asked, with its queue pair
     * @param qp the queue pair here
     */
    default @Nullable Refusal reasonOfNak(Gid requester, int requesterQp, int qp, int psn) {
        return null;
    }

    /** Why requests of a device of the same JVM are not answered; null if the queue pair here is ready to answer them. On the lane. */
    default @Nullable Refusal reasonOfSilence(Gid requester, int requesterQp, int qp) {
        return null;
    }

    /**
     * The headers of a packet, or run, have come over {@code link}, and its payload is about to. If all is well with it so far,
     * says where the payload belongs; the carrier may put all of it there but the last eight bytes, until the device
     * {@linkplain FabricPort#letGo lets go} of the memory, or the link is told to. That changes nothing else: the packet is
     * {@linkplain #receive received} when it is there, wherever it then lies, and judged then. On the lane.
     *
     * @param head has the headers, and no payload
     * @param payloadLengthBytes of the whole payload
     * @return whether {@code place} was set
     */
    default boolean land(Link link, Packet head, int payloadLengthBytes, LandingPlace place) {
        return false;
    }
}
