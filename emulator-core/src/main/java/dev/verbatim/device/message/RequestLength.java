// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.context.Denial;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Rule;
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
        long dmaLength = Integer.toUnsignedLong(in.packet.dmaLengthBytes());
        return switch (in.effect) {
            case WRITE -> {
                if (in.startsMessage && dmaLength > DeviceLimits.MAX_MESSAGE_BYTES) {
                    yield ofRange(dmaLength);
                }
                long announced = in.startsMessage ? dmaLength : leftBytes;
                boolean fits = in.endsMessage ? in.payloadBytes == announced : in.payloadBytes < announced;
                yield fits ? null : wrongPart(in, announced);
            }
            case READ -> ofRange(dmaLength);
            case ATOMIC_WRITE -> ofWord(in, dmaLength);
            case FLUSH -> in.packet.flushLevel() == FlushTarget.RANGE ? ofRange(dmaLength) : null;
            case RECEIVE, ATOMIC -> null;
            case BIND, INVALIDATE, NOTHING -> throw new IllegalStateException(in.opcode + " is no request");
        };
    }

    private static @Nullable Denial ofWord(InboundPacket in, long dmaLength) {
        int payload = in.payloadBytes;
        return payload == Long.BYTES && dmaLength == Long.BYTES
                ? null
                : Denial.invalidRequest(
                        Rule.NW_01, "%s of length=%d brings %d bytes; it is of 8", in.opcode, dmaLength, payload);
    }

    private static @Nullable Denial ofRange(long dmaLength) {
        return dmaLength <= DeviceLimits.MAX_MESSAGE_BYTES
                ? null
                : Denial.invalidRequest(Rule.MR_33, "RETH length=%d > 2^31", dmaLength);
    }

    private static Denial wrongPart(InboundPacket in, long announced) {
        return Denial.invalidRequest(
                Rule.MW_110,
                "%s brings %d bytes where %d are left of the announced length",
                in.opcode,
                in.payloadBytes,
                announced);
    }
}
