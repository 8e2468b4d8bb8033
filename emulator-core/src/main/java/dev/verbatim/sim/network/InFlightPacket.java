// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One packet in flight, as bytes. Reused; its buffer grows to the largest packet that it ever held. */
public final class InFlightPacket implements Comparable<InFlightPacket> {

    private static final int SMALLEST_BUFFER_BYTES = 256;

    @Nullable
    LossyLink link;

    long arrivalNanos;
    long sequence;
    int destQp;

    /** The how many-th packet to its queue pair over its link. */
    long numberInFlow;

    /** Whether others of its queue pair may overtake it. */
    boolean loose;

    /** Whether it is not what was sent. */
    boolean damaged;

    int lengthBytes;
    ByteBuffer bytes = ByteBuffer.allocate(SMALLEST_BUFFER_BYTES);

    void makeRoom(int neededBytes) {
        if (neededBytes > bytes.capacity()) {
            bytes = ByteBuffer.allocate(neededBytes);
        }
    }

    /** Damages the middle of the datagram: never what the ICRC leaves out, which is at its beginning. */
    void turnBitOver(int headerBytes) {
        int place = lengthBytes - 1 - (lengthBytes - headerBytes) / 2;
        bytes.put(place, (byte) (bytes.get(place) ^ 1));
    }

    /** What it is, told from all others. */
    @Override
    public String toString() {
        return flow() + " packet " + numberInFlow;
    }

    /** Whether others of its flow may arrive before it. */
    public boolean isLoose() {
        return loose;
    }

    /** Where it goes: packets of one flow arrive one after the other. */
    public String flow() {
        return link + " " + destQp;
    }

    /** Whether the other one uses the same link to the same queue pair, so that their order matters. */
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    boolean isOfFlowOf(InFlightPacket other) {
        return link == other.link && destQp == other.destQp;
    }

    /** The earlier arrival first; of one time, what was sent first. */
    @Override
    public int compareTo(InFlightPacket other) {
        int byTime = Long.compare(arrivalNanos, other.arrivalNanos);
        return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
}
