// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.Outage;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decides the fate of the packets that a scenario names, and leaves all others to somebody else. */
final class NamedFaults implements FaultPolicy {

    private final List<PacketFault> faults;
    private final int[] seen;
    private final Map<String, Device> devices;
    private final FaultPolicy others;
    private final Consumer<String> counted;

    /** @param counted is told the name of each counter that was moved */
    NamedFaults(List<PacketFault> faults, Map<String, Device> devices, FaultPolicy others, Consumer<String> counted) {
        this.counted = counted;
        this.faults = faults;
        this.seen = new int[faults.size()];
        this.devices = devices;
        this.others = others;
    }

    @Override
    public Fate decide(Gid from, Gid to, Packet packet) {
        Fate fate = null;
        for (int i = 0; i < seen.length; i++) {
            PacketFault fault = faults.get(i);
            if (names(fault, from, to, packet)) {
                seen[i]++;
                counted.accept("fault " + i);
                boolean meant = seen[i] >= fault.nth() && seen[i] < fault.nth() + fault.times();
                fate = meant && fate == null ? fateOf(fault) : fate;
            }
        }
        return fate == null ? others.decide(from, to, packet) : fate;
    }

    private boolean names(PacketFault fault, Gid from, Gid to, Packet packet) {
        return (fault.packet() == null || fault.packet() == packet.opcode())
                && isAt(fault.from(), from)
                && isAt(fault.to(), to);
    }

    private boolean isAt(@Nullable String node, Gid gid) {
        Device device = node == null ? null : devices.get(node);
        return node == null || (device != null && device.gids().contains(gid));
    }

    private static Fate fateOf(PacketFault fault) {
        return switch (fault.kind()) {
            case DROP -> Fate.DROP;
            case DUPLICATE -> Fate.DUPLICATE;
            case DELAY -> Fate.delayed(fault.nanos());
            case CORRUPT -> Fate.CORRUPT;
            case REORDER -> Fate.OVERTAKEN;
            case CUT -> Fate.outage(Outage.CUT, fault.nanos());
            case SILENCE -> Fate.outage(Outage.SILENCE, 0);
            case CRASH -> Fate.outage(Outage.CRASH, 0);
        };
    }
}
