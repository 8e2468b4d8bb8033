// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import dev.verbatim.wire.Header;
import dev.verbatim.wire.Packet;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The {@value #SIZE_BYTES} bytes before a datagram in its frame, big-endian, which tell the receiver what the sender's address handle
 * says of the way (UD-01): traffic class and flow label in one word as in a GRH, without its version, then the hop limit in another.
 */
public final class GrhPart {

    public static final int SIZE_BYTES = 8;

    /** Set in the head of a frame that has the part. */
    public static final int FLAG = 0x8000_0000;

    private static final int HOP_LIMIT_AT = 4;
    private static final int TRAFFIC_CLASS_SHIFT = 20;
    private static final int FLOW_LABEL_MASK = 0xf_ffff;
    private static final int FIELDS_MASK = 0xfff_ffff;
    private static final int BYTE_MASK = 0xff;

    private GrhPart() {}

    /** Whether the frame of the packet has one. */
    static boolean isOf(Packet packet) {
        return packet.opcode().has(Header.DETH);
    }

    static void write(Packet packet, ByteBuffer target, int at) {
        target.putInt(at, packet.trafficClass() << TRAFFIC_CLASS_SHIFT | packet.flowLabel())
                .putInt(at + HOP_LIMIT_AT, packet.hopLimit());
    }

    /** Fills these fields of a packet; what is wrong with the part, or null. */
    static @Nullable String read(ByteBuffer source, int at, Packet packet) {
        int first = source.getInt(at);
        int hopLimit = source.getInt(at + HOP_LIMIT_AT);
        if ((first & ~FIELDS_MASK) != 0 || (hopLimit & ~BYTE_MASK) != 0) {
            return "reserved bits are set before a datagram: 0x" + Integer.toHexString(first) + " and hopLimit=0x"
                    + Integer.toHexString(hopLimit) + "; what came is no stream of packets";
        }
        packet.trafficClass(first >>> TRAFFIC_CLASS_SHIFT)
                .flowLabel(first & FLOW_LABEL_MASK)
                .hopLimit(hopLimit);
        return null;
    }
}
