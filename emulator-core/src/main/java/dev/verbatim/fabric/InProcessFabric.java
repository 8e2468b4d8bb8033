// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.fabric.carrier.GuidSequence;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.SegmentRun;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Devices in one JVM on one lane: packets are handed over as descriptors, never as bytes, so a payload is copied once,
 * from its source to its destination. Keeps order, loses nothing, and uses the threads of its callers; one daemon
 * thread runs the timers.
 */
public final class InProcessFabric implements Fabric {

    private final Map<Gid, InProcessPort> ports = new TreeMap<>();
    private final Map<Gid, Integer> lives = new TreeMap<>();
    private final InProcessLane lane;
    private final int mostPacketsOfRun;
    private final boolean fastPath;
    private final GuidSequence guids = new GuidSequence();
    private boolean closed;

    /** An empty fabric in real time. */
    public InProcessFabric() {
        this(SegmentRun.MOST_PACKETS);
    }

    /**
     * An empty fabric in real time.
     *
     * @param mostPacketsOfRun of how many packets a {@linkplain SegmentRun run} may be that crosses as one; 1 to 64
     * @throws IllegalArgumentException if it is not in that range
     */
    public InProcessFabric(int mostPacketsOfRun) {
        this(mostPacketsOfRun, FastPath.isOn());
    }

    private InProcessFabric(int mostPacketsOfRun, boolean fastPath) {
        if (mostPacketsOfRun < 1 || mostPacketsOfRun > SegmentRun.MOST_PACKETS) {
            throw new IllegalArgumentException(
                    "mostPacketsOfRun=" + mostPacketsOfRun + " is not in 1.." + SegmentRun.MOST_PACKETS);
        }
        this.lane = new InProcessLane(SystemClock.INSTANCE);
        this.fastPath = fastPath;
        this.mostPacketsOfRun = mostPacketsOfRun;
    }

    /** An empty fabric in real time on which no request takes the fast path: each crosses as a packet. To compare both ways. */
    public static InProcessFabric withoutFastPath() {
        return new InProcessFabric(SegmentRun.MOST_PACKETS, false);
    }

    @Override
    public FabricPort attach(Gid gid, PacketSink sink) {
        InProcessPort port = new InProcessPort(this, gid, sink);
        lane.call(() -> {
            if (closed) {
                throw VerbsException.of(Errno.EINVAL, Rule.PD_02, "the fabric is closed; open another");
            }
            if (ports.putIfAbsent(gid, port) != null) {
                throw VerbsException.of(
                        Errno.EBUSY, Rule.KEY_07, "gid=%s is taken on this fabric; give the device another GUID", gid);
            }
            port.live(lives.merge(gid, 1, Integer::sum));
        });
        return port;
    }

    @Override
    public long freshGuid() {
        return guids.next();
    }

    int mostPacketsOfRun() {
        return mostPacketsOfRun;
    }

    boolean hasFastPath() {
        return fastPath;
    }

    InProcessLane lane() {
        return lane;
    }

    @Nullable
    InProcessPort portAt(Gid gid) {
        return ports.get(gid);
    }

    /** Reports that a device is gone to those that have met it. */
    void tellOthers(Gid gone) {
        List.copyOf(ports.values()).forEach(port -> port.left(gone));
    }

    void detach(InProcessPort port) {
        ports.remove(port.gid(), port);
    }

    @Override
    public void close() {
        lane.call(() -> {
            closed = true;
            ports.values().forEach(InProcessPort::leave);
            ports.clear();
        });
        lane.close();
    }

    @Override
    public String toString() {
        return "in-process fabric with " + ports.keySet();
    }
}
