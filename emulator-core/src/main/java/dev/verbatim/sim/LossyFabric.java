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
 * Devices in one JVM, in virtual time, over links that lose, duplicate, delay and so reorder packets as a seed, or a test,
 * has it (N-05, N-08).
 *
 * <p>Nothing moves by itself. Every poll that finds nothing makes one step of the simulation, every wait as many as it
 * needs, and {@link #step()} and {@link #passNanos} do so without either. Time jumps to the next packet or timer when
 * nothing else is left to do, so a retry after a minute costs no minute; a wait that can never end is refused with EDEADLK.
 *
 * <p>Any thread may call. The same seed and the same calls give the same run, packet for packet, as long as one thread
 * makes them all.
 *
 * <p>At most 4096 packets are under way; sources are asked for more when one has arrived. The second copy of a packet
 * that would be one too many is lost, as in a full switch.
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

    /** A fabric without devices whose links have these faults, drawn from {@code seed}. */
    public LossyFabric(long seed, LinkFaults faults) {
        this(Choices.seeded(seed), faults);
    }

    /** A fabric without devices whose links have these faults as {@code choices} has it. */
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

    /** Time on this fabric; it starts at 0. */
    public Clock clock() {
        return lane.clock();
    }

    /** The fates that this fabric draws: what decides unless {@link #decideBy} said otherwise. */
    public FaultPolicy faults() {
        return faults;
    }

    /** From now on {@code fates} decides about each packet that is sent. Those under way keep their fate. */
    public void decideBy(FaultPolicy fates) {
        lane.call(() -> this.fates = fates);
    }

    /**
     * Cuts the way between two devices, in both directions: what is sent while it is cut is lost, and so is what would
     * arrive. Nothing decides about those packets, and the devices are told nothing (QP-29).
     */
    public void cut(Gid a, Gid b) {
        lane.call(() -> network.cut(a, b));
    }

    /** Mends what {@link #cut} cut; a way that was not cut stays as it is. */
    public void heal(Gid a, Gid b) {
        lane.call(() -> network.heal(a, b));
    }

    /**
     * Pulls the cable out of a device's port: what the device sends is lost, and so is what would arrive. Other than of a
     * {@linkplain #cut way that is cut} somewhere between two devices, of this the device knows: its port is down (AE-11). Its
     * peers learn nothing.
     */
    public void unplug(Gid gid) {
        lane.call(() -> network.unplug(gid));
    }

    /** Puts the cable back; nothing happens if it is there. */
    public void plug(Gid gid) {
        lane.call(() -> network.plug(gid));
    }

    /**
     * Makes one step: one packet arrives, one source is asked for a packet, the doorbells are answered, or the timers of
     * one time expire.
     *
     * @return false if nothing is left to happen
     * @throws VerbsException EDEADLK if called from the lane
     */
    public boolean step() {
        return lane.step();
    }

    /**
     * Lets so much time pass, and happen what happens in it, its last nanosecond included.
     *
     * @throws VerbsException EDEADLK if called from the lane
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

    /** From now on the device at that place neither says nor hears anything, and is told nothing. */
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

    /** Decides about a packet and puts on its way what is left of it. */
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
