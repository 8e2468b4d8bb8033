// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.context.Denial;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import org.jspecify.annotations.Nullable;

/** How long a request packet, and the message that it announces, may be (H3-5). */
public final class RequestLength {

    private RequestLength() {}

    /** Whether the payload fits the place of the packet in its message; null if it does. */
    public static @Nullable Denial ofPacket(InboundPacket in, int mtu) {
        int payload = in.payloadBytes;
        int most = in.packets * mtu;
        boolean fits = in.opcode.carriesPayload()
                ? switch (in.opcode.position()) {
                    case FIRST, MIDDLE -> payload == most;
                    case LAST -> payload > most - mtu && payload <= most;
                    case ONLY -> payload <= most && (payload > most - mtu || in.packets == 1);
                }
                : payload == 0;
        return fits
                ? null
                : Denial.invalidRequest(Rule.H3_5, "%s has payload=%d at path MTU %d", in.opcode, payload, mtu);
    }

    /**
     * Whether the announced length is legal, and the data of a WRITE add up to it (MW-110); null if so.
     *
     * @param leftBytes what is left of the length that the first packet of a WRITE under way announced
     */
    public static @Nullable Denial ofMessage(InboundPacket in, long leftBytes) {
        Opcode opcode = in.opcode;
        int payload = in.payloadBytes;
        long dmaLength = Integer.toUnsignedLong(in.packet.dmaLengthBytes());
        if (in.kind == Opcode.Kind.ATOMIC_WRITE && (payload != Long.BYTES || dmaLength != Long.BYTES)) {
            return Denial.invalidRequest(
                    Rule.NW_01, "%s of length=%d brings %d bytes; it is of 8", opcode, dmaLength, payload);
        }
        boolean tooLong = dmaLength > DeviceLimits.MAX_MESSAGE_BYTES && opcode.has(Header.RETH);
        if (tooLong && (in.kind != Opcode.Kind.FLUSH || in.packet.flushLevel() == FlushTarget.RANGE)) {
            return Denial.invalidRequest(Rule.MR_33, "RETH length=%d > 2^31", dmaLength);
        }
        if (in.kind != Opcode.Kind.RDMA_WRITE) {
            return null;
        }
        long announced = in.startsMessage ? dmaLength : leftBytes;
        boolean fits = in.endsMessage ? payload == announced : payload < announced;
        return fits
                ? null
                : Denial.invalidRequest(
                        Rule.MW_110,
                        "%s brings %d bytes where %d are left of the announced length",
                        opcode,
                        payload,
                        announced);
    }
}
