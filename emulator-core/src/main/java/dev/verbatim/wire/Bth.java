// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * The base transport header as a value. Its pad count and transport version are not fields of it: the first follows from the
 * payload, the second is always 0.
 *
 * @param solicited whether the receiver is asked to raise a solicited completion event
 * @param migRequest the migration state bit
 * @param pkey partition key, 16 bits
 * @param destQp number of the queue pair that is to receive the packet, 24 bits
 * @param ackRequest whether an acknowledgement of this packet is asked for
 * @param psn packet sequence number, 24 bits
 */
public record Bth(
        Opcode opcode,
        boolean solicited,
        boolean migRequest,
        int pkey,
        boolean fecn,
        boolean becn,
        int destQp,
        boolean ackRequest,
        int psn) {

    /** Checks that each number fits its field. */
    public Bth {
        Layout.requireFits("pkey", pkey, Layout.LOW_16_BITS);
        Layout.requireFits("destQp", destQp, Layout.LOW_24_BITS);
        Layout.requireFits("psn", psn, Layout.LOW_24_BITS);
    }

    static Bth of(Packet packet) {
        return new Bth(
                packet.opcode(),
                packet.solicited(),
                packet.migRequest(),
                packet.pkey(),
                packet.fecn(),
                packet.becn(),
                packet.destQp(),
                packet.ackRequest(),
                packet.psn());
    }

    /** Begins the packet anew. */
    void putInto(Packet packet) {
        packet.begin(opcode)
                .solicited(solicited)
                .migRequest(migRequest)
                .pkey(pkey)
                .fecn(fecn)
                .becn(becn)
                .destQp(destQp)
                .ackRequest(ackRequest)
                .psn(psn);
    }
}
