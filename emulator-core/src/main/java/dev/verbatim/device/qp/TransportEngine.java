// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import org.jspecify.annotations.Nullable;

/**
 * The transport service of one queue pair: what its requests become on the wire, and what packets do to it. Runs on the lane
 * only; has no thread, no clock and no packet of its own.
 */
public interface TransportEngine {

    /** The queue pair became ready to receive. */
    void beginReceiving();

    /** The queue pair became ready to send. */
    void beginSending();

    /** The queue pair may send again: its send queue was drained, or had failed. */
    void resumeSending();

    /** max_dest_rd_atomic was changed. */
    default void resizeResponderResources() {}

    /** The link of the queue pair is reliable anew, and what it was given before may be lost. */
    default void linkResumed() {}

    /** How often it has repeated requests, as text that follows a comma; empty if it has not. */
    default String retries() {
        return "";
    }

    /** What its oldest request waits for, and what would end that; null if it waits for nothing, or that is not known. */
    default @Nullable Refusal reasonOfWait() {
        return null;
    }

    /** A number that is another one when packets brought something new. */
    default long progress() {
        return 0;
    }

    /** Whether requests were started that have not completed. */
    boolean isOutstanding();

    /** Whether a timer of its requester runs. */
    default boolean isTimed() {
        return false;
    }

    /** The queue pair failed: nothing more is asked; what it has to say last is still said. */
    void stopAfterError();

    /** Nothing more is said or heard. */
    void stop();

    /** Whether it is the packet that comes next: neither lost nor repeated nor out of place. */
    boolean expects(Packet packet);

    /**
     * A packet for this queue pair, which is in a state that receives, came over {@code link}.
     *
     * @return false if it is a run that has to be taken packet by packet
     */
    boolean receive(Link link, Packet packet);

    /** Where the payload of a packet belongs of which only the headers are there; see {@link dev.verbatim.fabric.PacketSink#land}. */
    default boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        return false;
    }

    /** Fills the next packet that asks; false if there is none. */
    boolean pullRequest(Packet packet);

    /** Begins the next request on the fast path; see {@link dev.verbatim.fabric.PacketSource#begin}. */
    default boolean beginPlain(PlainRequest request, boolean isAlone) {
        return false;
    }

    /** The link took it; see {@link dev.verbatim.fabric.PacketSource#handedOver}. */
    default void plainHandedOver(PlainRequest request) {}

    /** Takes a request on the fast path; see {@link dev.verbatim.fabric.PacketSink#receivePlain(Link, PlainRequest, boolean)}. */
    default boolean receivePlain(PlainRequest request, boolean answersNow) {
        return false;
    }

    /** Takes an answer on the fast path; see {@link dev.verbatim.fabric.PacketSink#receivePlain(Link, PlainAnswer)}. */
    default boolean receivePlain(PlainAnswer answer) {
        return false;
    }

    /** Whether there may be one. */
    boolean hasRequest();

    /** Whether there is surely none until requests are announced again, and not even a rule that keeps one from being sent. */
    default boolean hasNoRequest() {
        return false;
    }

    /** Over which link the next datagram goes; null if over none. Packets of connections go over the link of the queue pair. */
    default @Nullable Link requestLink() {
        return null;
    }

    /** Fills the next packet that answers; false if there is none. */
    default boolean pullResponse(Packet packet) {
        return false;
    }

    /** Fills the next answer on the fast path; see {@link dev.verbatim.fabric.PacketSource#pull(PlainAnswer)}. */
    default boolean pullPlainResponse(PlainAnswer answer) {
        return false;
    }

    /** Whether there may be one. */
    default boolean hasResponse() {
        return false;
    }

    /** Whether there is surely none until answers are announced again. */
    default boolean hasNoResponse() {
        return false;
    }

    /** Whether it has but a positive acknowledgement to answer with. */
    default boolean responseMayWait() {
        return false;
    }

    /** What lets the next packet that answers wait. */
    default ChoicePoint responsePoint() {
        return ChoicePoint.ACKNOWLEDGEMENT;
    }
}
