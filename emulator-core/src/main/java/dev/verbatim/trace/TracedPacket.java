// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.wire.ExtensionHeader;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.PacketRecord;

/** A {@link TraceEvent} with a packet. Its methods provide what a checker needs without knowledge of packet formats. */
public interface TracedPacket {

    /** The packet. */
    PacketRecord packet();

    /** Name of its opcode, such as {@code RDMA_READ_REQUEST}. */
    default String opcodeName() {
        return packet().opcode().name();
    }

    /** Whether the packet is a response. */
    default boolean isResponse() {
        return packet().opcode().isResponse();
    }

    /** Name of its transport, such as {@code UC}. */
    default String transportName() {
        return packet().opcode().transport().name();
    }

    /** Number of the sending queue pair, contained in datagrams only; -1 for others. */
    default int sourceQp() {
        return packet().opcode().has(Header.DETH)
                ? packet().extension(ExtensionHeader.Deth.class).sourceQp()
                : -1;
    }

    /** Its packet sequence number, 24 bits. */
    default int psn() {
        return packet().psn();
    }

    /** The AETH syndrome: ACK, RNR NAK or NAK (ACK-01); -1 if the packet has none. */
    default int syndrome() {
        return packet().opcode().has(Header.AETH)
                ? packet().extension(ExtensionHeader.Aeth.class).syndrome()
                : -1;
    }
}
