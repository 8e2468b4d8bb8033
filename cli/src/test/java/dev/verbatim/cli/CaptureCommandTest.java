// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code capture}, on what {@code demo} writes. */
@Tag("smoke")
class CaptureCommandTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"pcapng", "pcap,ethernet,microseconds", "sll", "pcap,sll2"})
    void packetsOfEveryFormatArePrinted(String format) {
        Path file = demo(format);
        Invocation printed = Invocation.of("capture", file.toString()).succeeded();
        assertThat(printed.out().lines())
                .hasSizeGreaterThan(20)
                .first()
                .asString()
                .matches(" +0\\.000  fe80:0:0:0:200:0:0:1 > fe80:0:0:0:200:0:0:2  UD_SEND_ONLY .*");
        assertThat(printed.out()).contains("  RDMA_WRITE_ONLY psn=").endsWith(" broken=0\n");
    }

    @Test
    void packetsArePrintedAsJson() throws IOException {
        Path file = demo("pcap");
        List<String> lines = Invocation.of("capture", "--json", file.toString())
                .succeeded()
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSizeGreaterThan(20);
        assertThat(JSON.std.mapFrom(lines.get(0))).containsEntry("kind", "sent").containsKeys("source", "packet");
        assertThat(JSON.std.mapFrom(lines.get(lines.size() - 1)))
                .containsEntry("kind", "capture")
                .containsEntry("packets", lines.size() - 1)
                .containsEntry("broken", 0);
    }

    @Test
    void captureIsConverted() {
        Path file = demo("pcap,ethernet");
        Path copy = directory.resolve("copy.pcapng");
        String printed = Invocation.of("capture", file.toString(), "--capture", copy.toString())
                .succeeded()
                .out();
        assertThat(Invocation.of("capture", copy.toString()).succeeded().out()).isEqualTo(printed);
    }

    @Test
    void brokenPacketIsSaidAndTheNextOneIsPrinted() throws IOException {
        Path file = demo("pcap");
        byte[] bytes = Files.readAllBytes(file);
        // Behind the headers of the file and the packet: IPv6, UDP, BTH, DETH, and a byte of the first datagram.
        bytes[24 + 16 + 40 + 8 + 12 + 8 + 5] ^= 1;
        Files.write(file, bytes);
        Invocation printed = Invocation.of("capture", file.toString());
        assertThat(printed.exitCode()).isEqualTo(1);
        assertThat(printed.out())
                .startsWith("packet 1 at byte 24 of the capture: icrc=0x")
                .contains("  UD_SEND_ONLY ")
                .endsWith(" broken=1\n");
    }

    @Test
    void whatIsNoCaptureIsRefused() throws IOException {
        Invocation.of("capture", directory.resolve("absent").toString())
                .failed(1, "cannot read ", "specify a capture file");
        Invocation.of("demo", "--fabric", "in-process", "--capture-format", "pcap,wifi")
                .failed(2, "'wifi' is not one of pcapng, pcap, raw, ethernet");
        Path text = Files.writeString(directory.resolve("text"), "this is a text");
        assertThat(Invocation.of("capture", text.toString()).exitCode()).isEqualTo(1);
    }

    private Path demo(String format) {
        Path file = directory.resolve("demo");
        Invocation.of("demo", "--fabric", "in-process", "--capture", file.toString(), "--capture-format", format)
                .succeeded();
        return file;
    }
}
