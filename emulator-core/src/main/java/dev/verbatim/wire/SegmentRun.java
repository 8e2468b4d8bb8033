// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * Several packets of one message, one after the other, that cross as one: the headers of what they would be if the path MTU
 * were larger, all their payload, and their number. All but the last are of one length, a path MTU; so the packets can be told
 * from the run alone.
 */
public final class SegmentRun {

    /** As many packets as that, and no more, are one run. */
    public static final int MOST_PACKETS = 64;

    /** As much payload as that, and no more, is one run. */
    public static final int MOST_BYTES = 256 * 1024;

    private static final int SMALLEST_MTU_BYTES = 256;
    /** The largest path MTU. */
    public static final int MOST_MTU_BYTES = 4096;

    private SegmentRun() {}

    /** Returns the path MTU that makes {@code packets} packets, at least 2, of so much payload; 0 if none does. */
    public static int mtuBytes(int payloadLengthBytes, int packets) {
        for (int mtu = SMALLEST_MTU_BYTES; mtu <= MOST_MTU_BYTES; mtu *= 2) {
            if (payloadLengthBytes > (packets - 1) * mtu && payloadLengthBytes <= packets * mtu) {
                return mtu;
            }
        }
        return 0;
    }

    /**
     * Judges what has come of a carrier that peers write to.
     *
     * @return whether the headers can stand for so many packets, at least 2, with the payload that there is
     */
    public static boolean isOne(Opcode opcode, int payloadLengthBytes, int packets) {
        boolean ofMany = opcode.kind() == Opcode.Kind.SEND
                || opcode.kind() == Opcode.Kind.RDMA_WRITE
                || opcode.kind() == Opcode.Kind.READ_RESPONSE;
        return ofMany
                && packets >= 2
                && packets <= MOST_PACKETS
                && payloadLengthBytes <= MOST_BYTES
                && mtuBytes(payloadLengthBytes, packets) != 0;
    }

    /** Fills {@code part} with one packet of the run, the one at {@code index}; its payload lies where the run's does. */
    public static void part(Packet run, int index, Packet part) {
        int mtu = mtuBytes(run.payload().lengthBytes(), run.packets());
        boolean first = index == 0;
        boolean last = index == run.packets() - 1;
        part.begin(run.opcode().inPart(first, last))
                .migRequest(run.migRequest())
                .pkey(run.pkey())
                .fecn(run.fecn())
                .becn(run.becn())
                .destQp(run.destQp())
                .psn(Psn.add(run.psn(), index));
        if (part.opcode().has(Header.RETH)) {
            part.remoteAddress(run.remoteAddress()).remoteKey(run.remoteKey()).dmaLengthBytes(run.dmaLengthBytes());
        }
        if (part.opcode().has(Header.XRCETH)) {
            part.srqNumber(run.srqNumber());
        }
        if (part.opcode().has(Header.AETH)) {
            part.syndrome(run.syndrome()).messageSequence(run.messageSequence());
        }
        if (last) {
            part.ackRequest(run.ackRequest())
                    .solicited(run.solicited())
                    .immediate(run.immediate())
                    .invalidateKey(run.invalidateKey());
        }
        int from = index * mtu;
        part.payload().addRange(run.payload(), from, Math.min(mtu, run.payload().lengthBytes() - from));
    }
}
