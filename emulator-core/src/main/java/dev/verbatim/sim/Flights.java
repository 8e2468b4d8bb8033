// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketView;
import dev.verbatim.wire.PacketWriter;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The packets under way. Each is turned into bytes when it is sent and read from them when it arrives, so that every
 * packet of a simulation proves the codec, and nobody's memory is looked at later than it was sent.
 */
final class Flights {

    /** Packets under way on a whole fabric: far more than any window of a queue pair, and still a few MiB. */
    static final int MOST = 4_096;

    private static final System.Logger LOG = System.getLogger(LossyFabric.class.getName());

    private final PriorityQueue<Flight> underWay = new PriorityQueue<>();
    private final ArrayDeque<Flight> spare = new ArrayDeque<>();
    private final PacketView view = new PacketView();
    private final Packet arrived = new Packet();
    private long nextSequence;

    boolean isFull() {
        return underWay.size() >= MOST;
    }

    int count() {
        return underWay.size();
    }

    /** When the next packet arrives; {@link Long#MAX_VALUE} if none is under way. */
    long nextArrivalNanos() {
        Flight next = underWay.peek();
        return next == null ? Long.MAX_VALUE : next.arrivalNanos;
    }

    /** Puts a copy of the packet under way. */
    void launch(LossyLink link, Packet packet, long arrivalNanos) {
        Flight flight = spare.pollLast();
        if (flight == null) {
            flight = new Flight();
        }
        flight.makeRoom(PacketWriter.encodedLengthBytes(packet));
        flight.lengthBytes = PacketWriter.write(packet, flight.bytes, 0);
        flight.link = link;
        flight.arrivalNanos = arrivalNanos;
        flight.sequence = nextSequence++;
        underWay.add(flight);
    }

    /** Lets the next packet arrive; there is one. */
    void land() {
        Flight flight = underWay.remove();
        LossyLink link = flight.link;
        flight.link = null;
        try {
            @Nullable String refusal = view.wrap(flight.bytes, 0, flight.lengthBytes);
            if (refusal != null) {
                LOG.log(Level.WARNING, "a packet that is none was dropped where it arrived: {0}", refusal);
            } else if (link != null) {
                view.readInto(arrived);
                link.arrive(arrived);
            }
        } finally {
            spare.addLast(flight);
        }
    }

    /** Loses everything that is under way. */
    void clear() {
        underWay.clear();
    }
}
