// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.Outage;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.List;
import java.util.Set;

/** What becomes of packets. The same seed has the same faults at the same packets of a device. */
final class PacketFaults implements FaultPolicy {

    private final List<Fault> named;
    private final FaultPolicy odds;
    private final Set<Gid> own;

    /**
     * By the faults of packets.
     *
     * @param own GIDs of the devices of this process
     */
    PacketFaults(List<Fault> faults, Set<Gid> own) {
        this.own = own;
        named = faults.stream()
                .filter(fault -> fault.kind().isOfPackets() && fault.value("per_mille") == null)
                .toList();
        LinkFaults drawn = LinkFaults.NONE;
        long seed = 1;
        for (Fault fault : faults) {
            if (fault.kind() == Fault.Kind.SEED) {
                seed = fault.seed();
            } else if (fault.value("per_mille") != null) {
                drawn = with(drawn, fault);
            }
        }
        odds = FaultPolicy.drawn(drawn, Choices.seeded(seed));
    }

    private static LinkFaults with(LinkFaults odds, Fault fault) {
        return switch (fault.kind()) {
            case DROP -> odds.dropping(fault.perMille());
            case DUPLICATE -> odds.duplicating(fault.perMille());
            case DELAY -> odds.delaying(fault.perMille(), fault.delayNanos());
            case REORDER -> odds.reordering(fault.perMille());
            case CORRUPT -> odds.corrupting(fault.perMille());
            case CUT -> odds.cutting(fault.perMille(), Math.max(1, fault.cutNanos()));
            default -> odds;
        };
    }

    @Override
    public Fate decide(Gid from, Gid to, Packet packet) {
        Fate fate = null;
        for (Fault fault : named) {
            if (isOf(fault, from, packet) && fault.happens() && fate == null) {
                fate = fateOf(fault);
            }
        }
        return fate == null ? odds.decide(from, to, packet) : fate;
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
            case CUT -> Fate.outage(Outage.CUT, fault.cutNanos());
            case SILENCE -> Fate.outage(Outage.SILENCE, 0);
            default -> Fate.DROP;
        };
    }
}
