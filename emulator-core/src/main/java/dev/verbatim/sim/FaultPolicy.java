// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.Choices;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;

/**
 * Decides about the faults of each packet on a {@link LossyFabric}: by chance, or by a test that selects packets.
 *
 * <pre>{@code
 * int[] acks = new int[1];
 * FaultPolicy chance = fabric.faults();
 * fabric.decideBy((from, to, packet) ->
 *         packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE && acks[0]++ == 0
 *                 ? Fate.DROP
 *                 : chance.decide(from, to, packet));
 * }</pre>
 */
@FunctionalInterface
public interface FaultPolicy {

    /**
     * Decides about a packet that has just been sent. On the lane, once for each packet, in the order of sending.
     *
     * @param packet valid during the call only; {@link dev.verbatim.wire.PacketRecord#of} copies it
     */
    Fate decide(Gid from, Gid to, Packet packet);

    /** The fates that {@code choices} draws with the probabilities of {@code faults}. */
    static FaultPolicy drawn(LinkFaults faults, Choices choices) {
        return new DrawnFaults(faults, choices);
    }
}
