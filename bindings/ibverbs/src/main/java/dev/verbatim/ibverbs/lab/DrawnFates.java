// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Draws what becomes of a packet from what the packet is, not from when it comes: the seed, its flow, its opcode, its PSN from the first
 * of the flow on, and how often it was sent. So a packet has the same fate in each run, however threads and timers order it with others.
 * A flow is what goes to one queue pair of one device; flows are counted in the order in which they begin.
 */
final class DrawnFates implements FaultPolicy {

    /** Flows and packets that are remembered; of more the oldest are forgotten, and begin anew. */
    private static final int MOST_FLOWS = 4096, MOST_PACKETS = 8192;

    private static final int PSN_MASK = 0xff_ffff;
    private static final int PSN_BITS = 24;
    private static final long LOW_BITS = 0xffff_ffffL;

    private record Way(Gid to, int queuePair) {}

    /** At most so many entries, of which the oldest goes first. */
    private static final class Bounded<K, V> extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1L;

        private final int most;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
        }
    }

    private static final class Flow {

        private final int ordinal;
        private final int firstPsn;
        private final Map<Integer, Integer> timesSent = new Bounded<>(MOST_PACKETS);

        Flow(int ordinal, int firstPsn) {
            this.ordinal = ordinal;
            this.firstPsn = firstPsn;
        }

        /** A number of the packet and of how often it was sent by now. */
        long identify(Packet packet) {
            int which = (packet.opcode().code() << PSN_BITS) | ((packet.psn() - firstPsn) & PSN_MASK);
            int times = timesSent.merge(which, 1, Integer::sum);
            return (((long) ordinal << Integer.SIZE) | (which & LOW_BITS)) * 31 + times;
        }
    }

    private final LinkFaults odds;
    private final long seed;
    private final Map<Way, Flow> flows = new Bounded<>(MOST_FLOWS);
    private int begun;

    /** With these odds; the same seed draws the same. */
    DrawnFates(LinkFaults odds, long seed) {
        this.odds = odds;
        this.seed = seed;
    }

    @Override
    public Fate decide(Gid from, Gid to, Packet packet) {
        Flow flow = flows.computeIfAbsent(new Way(to, packet.destQp()), way -> new Flow(++begun, packet.psn()));
        long identity = flow.identify(packet);
        return FaultPolicy.drawn(odds, Choices.seeded(mixed(seed) ^ mixed(identity)))
                .decide(from, to, packet);
    }

    /** Neighbouring numbers become numbers that have nothing in common. */
    private static long mixed(long number) {
        long bits = (number + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        return (bits ^ (bits >>> Integer.SIZE)) * 0x94d049bb133111ebL;
    }
}
