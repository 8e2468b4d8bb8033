// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.link;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.Outage;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does to packets of one device, in both directions, what a policy of the simulation decides: loses, delays, duplicates, damages
 * them or lets others overtake, and cuts the way to a peer. On the lane.
 *
 * <p>A packet that may be overtaken waits for the next one of its direction and peer, or for a millisecond. A device that falls
 * silent, or crashes, neither sends nor receives any more.
 */
final class FaultInjector {

    /** Packets that wait; of more, none is delayed. */
    private static final int MOST_WAITING = 4096;

    private static final long LONGEST_OVERTAKING_NANOS = 1_000_000;
    private static final long FOR_EVER = Long.MAX_VALUE;

    private record Way(Gid from, Gid to) {}

    /** A packet that waits until its time has come or, if it may be overtaken, another one has passed. */
    private final class Waiting extends LaneTimer {

        private final Runnable pass;

        Waiting(Runnable pass) {
            this.pass = pass;
            waiting++;
        }

        @Override
        protected void expire(long nowNanos) {
            waiting--;
            if (!ended) {
                pass.run();
            }
        }

        void passNow() {
            if (isArmed()) {
                lane.forget(this);
                expire(lane.nowNanos());
            }
        }
    }

    private final NettyLane lane;
    private final PacketSink sink;
    private final FaultPolicy policy;
    private final Map<Gid, Long> cutUntilNanos = new HashMap<>();
    private final Map<Way, List<Waiting>> overtaken = new HashMap<>();
    private int waiting;
    private boolean silent;
    private boolean ended;

    FaultInjector(NettyLane lane, PacketSink sink, FaultPolicy policy) {
        this.lane = lane;
        this.sink = sink;
        this.policy = policy;
    }

    /** Lets a packet pass as the policy has it. */
    void decide(Gid from, Gid to, Gid peer, Packet packet, PacketFate passage) {
        if (silent || isCut(peer)) {
            sink.linkFaulted(from, to, packet, "loses");
            return;
        }
        Fate fate = policy.decide(from, to, packet);
        if (!fate.equals(Fate.DELIVER)) {
            sink.linkFaulted(from, to, packet, fate.inWords());
        }
        if (fate.outage() != Outage.NONE) {
            begin(fate, peer);
            return;
        }
        for (int copy = 1; copy < fate.copies(); copy++) {
            passage.pass(false);
        }
        List<Waiting> before = overtaken.remove(new Way(from, to));
        if (fate.copies() > 0) {
            passLast(fate, new Way(from, to), passage);
        }
        if (before != null) {
            before.forEach(Waiting::passNow);
        }
    }

    private void passLast(Fate fate, Way way, PacketFate passage) {
        boolean waits = fate.delayNanos() > 0 || fate.mayBeOvertaken();
        if (!waits || waiting >= MOST_WAITING) {
            passage.pass(fate.corrupted());
            return;
        }
        Waiting kept = new Waiting(passage.keep(fate.corrupted()));
        long nanos = fate.delayNanos() > 0 ? fate.delayNanos() : LONGEST_OVERTAKING_NANOS;
        lane.arm(kept, lane.nowNanos() + nanos);
        if (fate.mayBeOvertaken()) {
            overtaken.computeIfAbsent(way, key -> new ArrayList<>()).add(kept);
        }
    }

    private void begin(Fate fate, Gid peer) {
        if (fate.outage() == Outage.CUT) {
            cutUntilNanos.put(peer, fate.outageNanos() == 0 ? FOR_EVER : lane.nowNanos() + fate.outageNanos());
        } else {
            silent = true;
        }
    }

    private boolean isCut(Gid peer) {
        Long until = cutUntilNanos.get(peer);
        if (until == null) {
            return false;
        }
        if (until != FOR_EVER && until - lane.nowNanos() <= 0) {
            cutUntilNanos.remove(peer);
            return false;
        }
        return true;
    }

    /** What waits is lost. */
    void end() {
        ended = true;
    }
}
