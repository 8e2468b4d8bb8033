// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.transport.netty.roce.datagram.DatagramReader;
import dev.verbatim.transport.netty.roce.datagram.DropReason;
import dev.verbatim.transport.netty.roce.datagram.IpUdpHeader;
import dev.verbatim.wire.Packet;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledgements that a ConnectX (MAC b8:59:9f) sent from 192.170.1.2 to 192.170.1.50, behind the headers of UDP. The connection began with
 * PSN 0xcf7bf6. From test/test_rocev2.py of enjoy-digital/liteeth (BSD-2-Clause).
 */
final class AdapterVectors {

    /** Acknowledges 0xcf7bf7 with MSN 2. */
    static final String ACKNOWLEDGE = "1140ffff00deaded00cf7bf7 00000002 59caeaf7";

    /** Acknowledges 0xcf7bf9 with MSN 4, and nothing acknowledged 0xcf7bf8. */
    static final String COALESCED_ACKNOWLEDGE = "1140ffff00deaded00cf7bf9 00000004 a4da30ef";

    static final int FIRST_PSN = 0xcf7bf6;
    static final int DESTINATION_QP = 0xdeaded;

    private static final int SOURCE_PORT = 0xfa4f;

    private final DatagramReader reader;
    private final IpUdpHeader header;

    AdapterVectors(boolean strict) throws UnknownHostException {
        reader = new DatagramReader(true, strict);
        header = new IpUdpHeader(InetAddress.getByName("192.170.1.2"), InetAddress.getByName("192.170.1.50"));
    }

    /** Reads one into {@code packet}, ICRC checked; returns why it is dropped, or null. */
    @Nullable
    DropReason read(String hex, Packet packet) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        ByteBuffer buffer = ByteBuffer.allocate(header.sizeBytes() + bytes.length);
        buffer.put(header.sizeBytes(), bytes);
        return reader.read(buffer, bytes.length, header, SOURCE_PORT, packet);
    }

    @Nullable
    String sentence() {
        return reader.sentence();
    }
}
