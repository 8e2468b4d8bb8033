// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.wire.Icrc;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;

/** Bytes of strangers as datagrams: dropped with a reason and a sentence, or a packet that is written again with the same meaning. */
@Tag("smoke")
class DatagramFuzzTest {

    private static final int PORT = 49_152;
    private static final IpUdpHeader HEADER =
            new IpUdpHeader(InetAddress.getLoopbackAddress(), InetAddress.getLoopbackAddress());

    /** Made once: the tables by which it recovers identifications take long to make, and inputs would be few. */
    private static final DatagramReader READER = new DatagramReader(true, true);

    private static final DatagramWriter WRITER = new DatagramWriter(true);

    /** If the first byte is odd the ICRC is made right, without which little else would be seen. */
    @FuzzTest
    void datagram(byte[] input) {
        byte[] bytes = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
        ByteBuffer buffer = ByteBuffer.allocate(HEADER.sizeBytes() + Math.max(bytes.length, 1));
        buffer.put(HEADER.sizeBytes(), bytes);
        int covered = HEADER.sizeBytes() + bytes.length - Icrc.SIZE_BYTES;
        if (input.length > 0
                && (input[0] & 1) != 0
                && bytes.length >= 16
                && bytes.length <= DatagramReader.MOST_BYTES) {
            HEADER.write(buffer, 0, PORT, bytes.length);
            buffer.putInt(covered, new Icrc().of(buffer, 0, covered));
        }
        Packet packet = new Packet();
        DropReason reason = READER.read(buffer, bytes.length, HEADER, PORT, packet);
        if (reason != null) {
            assertThat(READER.sentence()).isNotBlank();
            return;
        }
        PacketRecord read = PacketRecord.of(packet);
        ByteBuffer again = ByteBuffer.allocate(HEADER.sizeBytes() + DatagramReader.MOST_BYTES);
        int length = WRITER.write(packet, HEADER, PORT, again);
        assertThat(length).isEqualTo(bytes.length);
        assertThat(READER.read(again, length, HEADER, PORT, packet)).isNull();
        assertThat(PacketRecord.of(packet)).isEqualTo(read);
    }
}
