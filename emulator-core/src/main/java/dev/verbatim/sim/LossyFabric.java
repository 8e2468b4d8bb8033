// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.carrier.GuidSequence;
import dev.verbatim.sim.network.InFlightPackets;
import dev.verbatim.sim.network.LossyLink;
import dev.verbatim.sim.network.LossyNetwork;
import dev.verbatim.sim.network.LossyPort;
import dev.verbatim.sim.network.SteppedLane;
import dev.verbatim.sim.network.VirtualLane;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Packet;
import java.util.function.Function;

/**
 * Devices in one JVM, in virtual time, over links that lose, duplicate and delay packets, and so reorder them, as a seed or a test
 * decides (N-05, N-08).
 *
 * <p>Nothing happens by itself. A poll that finds nothing makes one step of the simulation, a wait makes as many as it needs, and
 * {@link #step()} and {@link #passNanos} make steps without either. When nothing else is left to do, time advances to the next
 * packet or timer, so a retry after a minute takes no real time. A wait that can never end fails with EDEADLK.
 *
 * <p>Any thread may call. The same seed and the same calls give the same run, packet for packet, if one thread makes all calls.
 *
 * <p>At most 4096 packets are in flight; then sources wait until one arrives. The second copy of a packet that would exceed this is
 * lost.
 */
public final class LossyFabric implements Fabric {

    private final InFlightPackets inFlight = new InFlightPackets();
    private final SteppedLane lane;
    private final LossyNetwork network;
    private final GuidSequence guids = new GuidSequence();
    private final long latencyNanos;
    private final FaultListener witness;
    private final FaultPolicy faults;
    private FaultPolicy fates;
    private boolean closed;

    /** A fabric without devices; the faults of its links are drawn from {@code seed}. */
    public LossyFabric(long seed, LinkFaults faults) {
        this(Choices.seeded(seed), faults);
    }

    /** A fabric without devices; {@code choices} decide about the faults of its links. */
    public LossyFabric(Choices choices, LinkFaults faults) {
        this.lane = new VirtualLane(inFlight);
        this.network = new LossyNetwork(lane, this::carry);
        this.witness = FaultListener.NONE;
        this.latencyNanos = faults.latencyNanos();
        this.faults = FaultPolicy.drawn(faults, choices);
        this.fates = this.faults;
    }

    /** A fabric whose links leave it to the schedule when their packets arrive, and what becomes of them. */
    LossyFabric(
            Function<InFlightPackets, SteppedLane> lane, Schedule schedule, LinkFaults faults, FaultListener witness) {
        this.latencyNanos = 0;
        this.witness = witness;
        this.faults = FaultPolicy.drawn(faults, schedule);
        this.fates = this.faults;
        this.lane = lane.apply(inFlight);
        this.network = new LossyNetwork(this.lane, this::carry);
    }

    @Override
    public FabricPort attach(Gid gid, PacketSink sink) {
        LossyPort port = new LossyPort(network, gid, sink);
        lane.callWithin(() -> {
            if (closed) {
                throw VerbsException.of(Errno.EINVAL, Rule.PD_02, "the fabric is closed; open another");
            }
            network.attach(port);
        });
        return port;
    }

    @Override
    public long freshGuid() {
        return guids.next();
    }

    /** The virtual time of this fabric, which starts at 0. */
    public Clock clock() {
        return lane.clock();
    }

    /** The policy of the faults that this fabric was opened with, which decides unless {@link #decideBy} replaced it. */
    public FaultPolicy faults() {
        return faults;
    }

    /** Lets a policy decide about each packet that is sent from now on. Packets in flight are not affected. */
    public void decideBy(FaultPolicy fates) {
        lane.call(() -> this.fates = fates);
    }

    /**
     * Cuts the path between two devices in both directions: packets sent while it is cut are lost, and packets in flight that would
     * arrive meanwhile. The fault policy does not decide about them, and the devices are not told (QP-29).
     */
    public void cut(Gid a, Gid b) {
        lane.call(() -> network.cut(a, b));
    }

    /** Ends {@link #cut}; no effect if the path is not cut. */
    public void heal(Gid a, Gid b) {
        lane.call(() -> network.heal(a, b));
    }

    /**
     * Unplugs the cable of a device: packets to and from it are lost. Unlike with {@link #cut}, the port of the device goes down (AE-11).
     * Its peers are not told.
     */
    public void unplug(Gid gid) {
        lane.call(() -> network.unplug(gid));
    }

    /** Ends {@link #unplug}; no effect if the cable is plugged. */
    public void plug(Gid gid) {
        lane.call(() -> network.plug(gid));
    }

    /**
     * Makes one step: a packet arrives, a source sends a packet, doorbells are answered, or the timers of one time expire.
     *
     * @return false if nothing is left to happen
     * @throws VerbsException EDEADLK if called on the lane
     */
    public boolean step() {
        return lane.step();
    }

    /**
     * Lets time pass, with all that happens in it, its last nanosecond included.
     *
     * @throws VerbsException EDEADLK if called on the lane
     */
    public void passNanos(long nanos) {
        lane.pass(nanos);
    }

    @Override
    public void close() {
        lane.call(() -> {
            closed = true;
            network.killAll();
            inFlight.clear();
        });
    }

    /** Where the simulation stands. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("LossyFabric[");
        lane.call(() -> text.append("t=")
                .append(clock().nanoTime())
                .append(" ns, packetsUnderWay=")
                .append(inFlight.count()));
        return text.append(']').toString();
    }

    /** Loses all packets to and from a device from now on. The device is not told. */
    public void silence(Gid gid) {
        lane.call(() -> network.silence(gid));
    }

    /** The device at that place is gone as if its machine had lost power. */
    void kill(Gid gid) {
        network.kill(gid);
    }

    private void suffer(Gid from, Gid to, Fate fate) {
        switch (fate.outage()) {
            case CUT -> {
                network.cut(from, to);
                if (fate.outageNanos() > 0) {
                    lane.arm(new Healing(from, to), lane.nowNanos() + fate.outageNanos());
                }
            }
            case SILENCE -> network.silence(from);
            case CRASH -> network.kill(from);
            case NONE -> {}
        }
    }

    /** Heals a cut when its time has come. */
    private final class Healing extends LaneTimer {

        private final Gid from;
        private final Gid to;

        Healing(Gid from, Gid to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected void expire(long nowNanos) {
            network.heal(from, to);
        }
    }

    /** Decides about a packet and sends the remaining copies. */
    private void carry(LossyLink link, Packet packet) {
        Fate fate = fates.decide(link.localGid(), link.peer(), packet);
        if (!fate.equals(Fate.DELIVER)) {
            witness.faulted(link.localGid(), link.peer(), packet, fate);
            suffer(link.localGid(), link.peer(), fate);
        }
        long inTimeNanos = clock().nanoTime() + latencyNanos;
        for (int left = fate.copies(); left > 0 && !inFlight.isFull(); left--) {
            boolean last = left == 1;
            inFlight.launch(
                    link,
                    packet,
                    last ? inTimeNanos + fate.delayNanos() : inTimeNanos,
                    last && (fate.mayBeOvertaken() || fate.delayNanos() > 0),
                    last && fate.corrupted());
        }
    }
}
