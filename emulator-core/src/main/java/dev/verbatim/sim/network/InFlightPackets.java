// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.wire.Packet;
import dev.verbatim.wire.RoceView;
import dev.verbatim.wire.RoceWriter;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The packets in flight. Each becomes a RoCEv2 datagram with its ICRC when it is sent, and is parsed when it arrives: every
 * packet of a simulation tests the codec, damage is detected as on a real link, and memory is read when the packet is sent and
 * not later.
 */
public final class InFlightPackets {

    /** Packets in flight on a whole fabric: far more than any window of a queue pair, and still a few MiB. */
    public static final int MOST = 4_096;

    private static final System.Logger LOG = System.getLogger(InFlightPackets.class.getName());

    private final PriorityQueue<InFlightPacket> underWay = new PriorityQueue<>();
    private final List<InFlightPacket> arriving = new ArrayList<>();
    private final ArrayDeque<InFlightPacket> spare = new ArrayDeque<>();
    private final RoceWriter writer = new RoceWriter();
    private final RoceView view = new RoceView();
    private final Packet arrived = new Packet();
    private long nextSequence;

    /** Those in {@link #arriving} are the ones of any time from this on and before the other; not if the former is not below the latter. */
    private long knownFromNanos;

    private long knownBeforeNanos;
    private Consumer<InFlightPacket> launches = flight -> {};

    /** Tells of each packet that is launched from now on. */
    public void tellLaunches(Consumer<InFlightPacket> told) {
        launches = told;
    }

    public boolean isFull() {
        return underWay.size() >= MOST;
    }

    public int count() {
        return underWay.size();
    }

    /** When the next packet arrives; {@link Long#MAX_VALUE} if none is in flight. */
    public long nextArrivalNanos() {
        InFlightPacket next = underWay.peek();
        return next == null ? Long.MAX_VALUE : next.arrivalNanos;
    }

    /**
     * Adds a copy of the packet.
     *
     * @param loose whether later packets to the same queue pair may arrive before it
     * @param damaged whether a bit of it is turned over
     */
    public void launch(LossyLink link, Packet packet, long arrivalNanos, boolean loose, boolean damaged) {
        InFlightPacket flight = spare.pollLast();
        if (flight == null) {
            flight = new InFlightPacket();
        }
        flight.makeRoom(RoceWriter.encodedLengthBytes(packet, link.route()));
        flight.lengthBytes = writer.write(packet, link.route(), flight.bytes, 0);
        flight.link = link;
        flight.arrivalNanos = arrivalNanos;
        flight.sequence = nextSequence++;
        flight.destQp = packet.destQp();
        flight.flow = link.flowTo(packet.destQp());
        flight.numberInFlow = ++flight.flow.packets;
        flight.name = null;
        flight.loose = loose;
        flight.damaged = damaged;
        if (damaged) {
            flight.turnBitOver(RoceWriter.headerBytes(link.route()));
        }
        underWay.add(flight);
        changed();
        launches.accept(flight);
    }

    /** Lets the next packet arrive; there is one. */
    void land() {
        land(underWay.element());
    }

    /**
     * The packets that may arrive by {@code nowNanos}, in the usual order: of each queue pair the first, and loose ones. The list
     * is the same one each time.
     */
    public List<InFlightPacket> arriving(long nowNanos) {
        if (nowNanos < knownFromNanos || nowNanos >= knownBeforeNanos) {
            find(nowNanos);
        }
        return arriving;
    }

    private void find(long nowNanos) {
        arriving.clear();
        knownFromNanos = nowNanos;
        knownBeforeNanos = Long.MAX_VALUE;
        for (InFlightPacket flight : underWay) {
            if (flight.arrivalNanos <= nowNanos) {
                arriving.add(flight);
            } else {
                knownBeforeNanos = Math.min(knownBeforeNanos, flight.arrivalNanos);
            }
        }
        if (arriving.size() > 1) {
            keepFirsts();
        }
    }

    private void changed() {
        knownBeforeNanos = knownFromNanos;
    }

    /** Of each flow only the first may arrive, and loose ones. */
    private void keepFirsts() {
        arriving.sort(Comparator.naturalOrder());
        int kept = 0;
        for (int i = 0; i < arriving.size(); i++) {
            InFlightPacket flight = arriving.get(i);
            if (flight.loose || !isBehind(flight, kept)) {
                arriving.set(kept++, flight);
            }
        }
        arriving.subList(kept, arriving.size()).clear();
    }

    private boolean isBehind(InFlightPacket flight, int kept) {
        for (int i = 0; i < kept; i++) {
            InFlightPacket other = arriving.get(i);
            if (!other.loose && other.isOfFlowOf(flight)) {
                return true;
            }
        }
        return false;
    }

    /** Lets this packet arrive. */
    public void land(InFlightPacket flight) {
        underWay.remove(flight);
        changed();
        LossyLink link = flight.link;
        flight.link = null;
        try {
            @Nullable String refusal = view.wrap(flight.bytes, 0, flight.lengthBytes);
            if (refusal != null) {
                // A damaged packet is dropped silently: its ICRC is wrong.
                LOG.log(
                        flight.damaged ? Level.DEBUG : Level.WARNING,
                        "a packet that is none was dropped where it arrived: {0}",
                        refusal);
            } else if (link != null) {
                view.readInto(arrived);
                link.arrive(arrived);
            }
        } finally {
            spare.addLast(flight);
        }
    }

    /** Loses everything that is in flight. */
    public void clear() {
        underWay.clear();
        changed();
    }
}
