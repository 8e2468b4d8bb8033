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
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
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
            assertThat(refusal)
                    .matches(
                            "(?s)(the compressed capture is broken|(block|packet) \\d+ at byte \\d+ of the capture): .+");
        }
        List<TraceEvent> again = new ArrayList<>();
        assertThat(readInto(again, written(read, CaptureFormat.USUAL))).isNull();
        assertThat(again).isEqualTo(read);
    }

    private static String readInto(List<TraceEvent> events, byte[] bytes) throws IOException {
        try (CaptureReader reader = new CaptureReader(new ByteArrayInputStream(bytes))) {
            String refusal = null;
            boolean isAtEnd = false;
            while (!isAtEnd) {
                try {
                    TraceEvent event = reader.next();
                    isAtEnd = event == null;
                    if (event != null) {
                        events.add(event);
                    }
                } catch (CaptureException refused) {
                    refusal = refused.getMessage();
                }
            }
            return refusal;
        }
    }

    private static byte[] written(List<TraceEvent> events, CaptureFormat format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapngTap tap = PcapngTap.of(bytes, format, true)) {
            events.forEach(tap::on);
        }
        return bytes.toByteArray();
    }

    @Test
    void seedsAreShortCaptures() throws IOException {
        PacketRecord request = PacketRecord.of(
                Packets.readRequest(5, 0x7f00_0000_1000L, 0x105, 4).destQp(0x11));
        PacketRecord response = PacketRecord.of(Packets.readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 5, new byte[4])
                .destQp(0x12));
        Map<String, byte[]> seeds = new TreeMap<>();
        seeds.put("READ", written(talk(Gid.ofGuid(1), Gid.ofGuid(2), request, response), CaptureFormat.USUAL));
        Gid left = new Gid(0, 0xffff_0a00_0001L);
        Gid right = new Gid(0, 0xffff_0a00_0002L);
        for (String format : List.of("pcap,ethernet", "sll,microseconds", "pcap,sll2,microseconds")) {
            seeds.put(
                    format.replace(',', '-') + "-ipv4",
                    written(talk(left, right, request, response), CaptureFormat.parse(format)));
        }
        seeds.put("gzip", gzip(seeds.get("READ")));
        Seeds.assertKept(CaptureFuzzTest.class, "capture", seeds);
    }

    private static List<TraceEvent> talk(Gid left, Gid right, PacketRecord request, PacketRecord response) {
        return List.of(
                new TraceEvent.PacketSent(100, "left", 0x12, left, right, request),
                new TraceEvent.PacketReceived(200, "left", 0x12, right, left, response));
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }
}
