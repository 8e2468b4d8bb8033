// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.wire.ExtensionHeader;
import dev.verbatim.wire.Header;
import org.jspecify.annotations.Nullable;

/** More of what a checker needs of packets without knowledge of their formats, beside the methods of {@link TracedPacket}. */
public final class PacketFields {

    private PacketFields() {}

    /** The message sequence number of the AETH, 24 bits (ACK-05); -1 if the packet has none. */
    public static int messageSequence(TracedPacket event) {
        return event.packet().opcode().has(Header.AETH)
                ? event.packet().extension(ExtensionHeader.Aeth.class).messageSequence()
                : -1;
    }

    /** How many bytes a READ or WRITE is about, as its RETH says; -1 if the packet has none. */
    public static long requestedBytes(TracedPacket event) {
        return event.packet().opcode().has(Header.RETH)
                ? Integer.toUnsignedLong(
                        event.packet().extension(ExtensionHeader.Reth.class).dmaLengthBytes())
                : -1;
    }

    /** What an atomic found, of its response; null for other packets. */
    public static @Nullable Long original(TracedPacket event) {
        return event.packet().opcode().has(Header.ATOMIC_ACK_ETH)
                ? Long.valueOf(event.packet()
                        .extension(ExtensionHeader.AtomicAckEth.class)
                        .originalData())
                : null;
    }

    /** The payload, without padding. */
    public static byte[] payload(TracedPacket event) {
        return event.packet().payload().toBytes();
    }
}
