// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.ConnectionParameters;

/**
 * Reads of one side.
 *
 * @param inbound how many it serves at a time
 * @param outbound how many it has under way; 0 forbids Reads
 */
record NdReadLimits(int inbound, int outbound) {

    static final NdReadLimits NONE = new NdReadLimits(0, 0);

    /** What a program asks for, as far as the adapter can: more is silently less. */
    static NdReadLimits asked(int inbound, int outbound, NdAdapterInfo info) {
        return new NdReadLimits(
                least(inbound, info.maxInboundReadLimit()), least(outbound, info.maxOutboundReadLimit()));
    }

    /** What the other side offers, in this side's terms. */
    static NdReadLimits offered(ConnectionParameters said, NdAdapterInfo info) {
        return asked(said.responderResources(), said.initiatorDepth(), info);
    }

    private static int least(int asked, int most) {
        return Integer.compareUnsigned(asked, most) > 0 ? most : asked;
    }

    /** Neither serves more than the other wants, nor wants more than it serves. */
    NdReadLimits with(NdReadLimits offered) {
        return new NdReadLimits(Math.min(inbound, offered.inbound), Math.min(outbound, offered.outbound));
    }

    ConnectionParameters in(ConnectionParameters parameters) {
        return parameters.responderResources(inbound).initiatorDepth(outbound);
    }
}
