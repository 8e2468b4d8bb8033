// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.ConnectionParameters;

/**
 * Limits of the Reads of one side.
 *
 * @param inbound how many it serves at a time
 * @param outbound how many it has outstanding; 0 forbids Reads
 */
record ReadLimits(int inbound, int outbound) {

    /** No Reads. */
    public static final ReadLimits NONE = new ReadLimits(0, 0);

    /** What a program asks for; more than the adapter has, which is {@code most}, is reduced to that. */
    public static ReadLimits asked(int inbound, int outbound, ReadLimits most) {
        return new ReadLimits(least(inbound, most.inbound), least(outbound, most.outbound));
    }

    /** What the peer offers, in this side's terms. */
    public static ReadLimits offered(ConnectionParameters said, ReadLimits most) {
        return asked(said.responderResources(), said.initiatorDepth(), most);
    }

    private static int least(int asked, int most) {
        return Integer.compareUnsigned(asked, most) > 0 ? most : asked;
    }

    /** The smaller ones of these and of what the peer offers. */
    public ReadLimits with(ReadLimits offered) {
        return new ReadLimits(Math.min(inbound, offered.inbound), Math.min(outbound, offered.outbound));
    }

    /** These limits as parameters of a connection. */
    public ConnectionParameters in(ConnectionParameters parameters) {
        return parameters.withResponderResources(inbound).withInitiatorDepth(outbound);
    }
}
