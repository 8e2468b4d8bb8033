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

    /** Where it goes; packets of one flow arrive one after the other. */
    LossyLink.@Nullable Flow flow;

    /** The how many-th packet of its flow. */
    long numberInFlow;

    /** Made when it is asked for. */
    @Nullable
    String name;

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
        String known = name;
        if (known == null) {
            known = flow + " packet " + numberInFlow;
            name = known;
        }
        return known;
    }

    /** Whether others of its flow may arrive before it. */
    public boolean isLoose() {
        return loose;
    }

    /** What the arrivals of its flow are called, of which each is behind the one before. */
    public String arrivals() {
        return flow == null ? "arrivals" : flow.arrivals;
    }

    /** Whether the other one uses the same link to the same queue pair, so that their order matters. */
    @SuppressWarnings("ReferenceEquality") // a flow is its identity
    boolean isOfFlowOf(InFlightPacket other) {
        return flow == other.flow;
    }

    /** The earlier arrival first; of one time, what was sent first. */
    @Override
    public int compareTo(InFlightPacket other) {
        int byTime = Long.compare(arrivalNanos, other.arrivalNanos);
        return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
}
