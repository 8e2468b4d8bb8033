// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Seeds;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes as a capture: packets, and then the end or a sentence that says where and why; what was read can be written and read again. */
@Tag("smoke")
class CaptureFuzzTest {

    @FuzzTest
    void capture(byte[] bytes) throws IOException {
        List<TraceEvent> read = new ArrayList<>();
        String refusal = readInto(read, bytes);
        if (refusal != null) {
            assertThat(refusal).matches("(?s)block \\d+ at byte \\d+ of the capture: .+");
        }
        List<TraceEvent> again = new ArrayList<>();
        assertThat(readInto(again, written(read))).isNull();
        assertThat(again).isEqualTo(read);
    }

    private static String readInto(List<TraceEvent> events, byte[] bytes) throws IOException {
        try (PcapngReader reader = new PcapngReader(new ByteArrayInputStream(bytes))) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                events.add(event);
            }
            return null;
        } catch (PcapngException refused) {
            return refused.getMessage();
        }
    }

    private static byte[] written(List<TraceEvent> events) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapngTap tap = PcapngTap.ofBothDirections(bytes)) {
            events.forEach(tap::on);
        }
        return bytes.toByteArray();
    }

    @Test
    void seedIsAShortCapture() throws IOException {
        PacketRecord request = PacketRecord.of(
                Packets.readRequest(5, 0x7f00_0000_1000L, 0x105, 4).destQp(0x11));
        PacketRecord response = PacketRecord.of(Packets.readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 5, new byte[4])
                .destQp(0x12));
        byte[] bytes = written(List.of(
                new TraceEvent.PacketSent(100, "left", 0x12, Gid.ofGuid(1), Gid.ofGuid(2), request),
                new TraceEvent.PacketReceived(200, "left", 0x12, Gid.ofGuid(2), Gid.ofGuid(1), response)));
        Seeds.assertKept(CaptureFuzzTest.class, "capture", Map.of("READ", bytes));
    }
}
