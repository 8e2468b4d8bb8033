// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.Outage;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.List;
import java.util.Set;

/**
 * What becomes of packets of one device. The same seed has the same faults at the same packets. Faults may be added to the list at any
 * time, and begin with the next packet.
 */
final class PacketFaults implements FaultPolicy {

    private static final FaultPolicy NONE = (from, to, packet) -> Fate.DELIVER;

    private final String device;
    private final List<Fault> faults;
    private final Set<Gid> own;
    private final Links links;

    private int read;
    private FaultPolicy odds = NONE;

    /**
     * Of a device.
     *
     * @param device its name
     * @param faults of which this takes those of packets of the device; the list only grows
     * @param own GIDs of the devices of this process
     * @param links what they carry
     */
    PacketFaults(String device, List<Fault> faults, Set<Gid> own, Links links) {
        this.device = device;
        this.faults = faults;
        this.own = own;
        this.links = links;
    }

    /** The last odds of each kind hold. */
    private void readOdds() {
        LinkFaults drawn = LinkFaults.NONE;
        long seed = 1;
        for (Fault fault : faults) {
            if (fault.kind() == Fault.Kind.SEED) {
                seed = fault.seed();
            } else if (fault.value("per_mille") != null && fault.isOf(device)) {
                drawn = with(drawn, fault);
            }
        }
        odds = drawn.equals(LinkFaults.NONE) ? NONE : new DrawnFates(drawn, seed);
    }

    private static LinkFaults with(LinkFaults odds, Fault fault) {
        return switch (fault.kind()) {
            case DROP -> odds.dropping(fault.perMille());
            case DUPLICATE -> odds.duplicating(fault.perMille());
            case DELAY -> odds.delaying(fault.perMille(), fault.delayNanos());
            case REORDER -> odds.reordering(fault.perMille());
            case CORRUPT -> odds.corrupting(fault.perMille());
            case CUT -> odds.cutting(fault.perMille(), Math.max(1, fault.lastsNanos()));
            default -> odds;
        };
    }

    @Override
    public Fate decide(Gid from, Gid to, Packet packet) {
        if (links.lose(from, to, packet)) {
            return Fate.DROP;
        }
        if (faults.size() != read) {
            read = faults.size();
            readOdds();
        }
        Fate fate = null;
        for (Fault fault : faults) {
            if (isNamed(fault) && isOf(fault, from, packet) && fault.happens() && fate == null) {
                fate = fateOf(fault);
            }
        }
        return fate == null ? odds.decide(from, to, packet) : fate;
    }

    private boolean isNamed(Fault fault) {
        return fault.kind().isOfPackets() && fault.value("per_mille") == null && fault.isOf(device);
    }

    private boolean isOf(Fault fault, Gid from, Packet packet) {
        String opcode = fault.value("packet");
        String side = fault.value("from");
        return (opcode == null || packet.opcode().name().equals(opcode))
                && (side == null || side.equals("here") == own.contains(from));
    }

    private static Fate fateOf(Fault fault) {
        return switch (fault.kind()) {
            case DUPLICATE -> Fate.DUPLICATE;
            case DELAY -> Fate.delayed(fault.delayNanos());
            case REORDER -> Fate.OVERTAKEN;
            case CORRUPT -> Fate.CORRUPT;
            case CUT -> Fate.outage(Outage.CUT, fault.lastsNanos());
            case SILENCE -> Fate.outage(Outage.SILENCE, 0);
            default -> Fate.DROP;
        };
    }
}
