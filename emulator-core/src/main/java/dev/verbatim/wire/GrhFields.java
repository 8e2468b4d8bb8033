// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * The fields of the header before the BTH that the sender sets: GRH or IPv6, which have the same fields. It comes from
 * the address handle of a datagram, and arrives in the first 40 bytes of the receive (UD-01).
 *
 * @param trafficClass 8 bits
 * @param flowLabel 20 bits
 * @param hopLimit 8 bits
 */
public record GrhFields(int trafficClass, int flowLabel, int hopLimit) {

    /** The default hop limit. */
    public static final int USUAL_HOP_LIMIT = 64;

    /** The default values. */
    public static final GrhFields USUAL = new GrhFields(0, 0, USUAL_HOP_LIMIT);

    /** Checks that each number fits its field. */
    public GrhFields {
        Layout.requireFits("trafficClass", trafficClass, Layout.LOW_8_BITS);
        Layout.requireFits("flowLabel", flowLabel, Layout.LOW_20_BITS);
        Layout.requireFits("hopLimit", hopLimit, Layout.LOW_8_BITS);
    }

    static GrhFields of(Packet packet) {
        return new GrhFields(packet.trafficClass(), packet.flowLabel(), packet.hopLimit());
    }

    /** Sets these fields of a packet. */
    public void putInto(Packet packet) {
        packet.trafficClass(trafficClass).flowLabel(flowLabel).hopLimit(hopLimit);
    }
}
