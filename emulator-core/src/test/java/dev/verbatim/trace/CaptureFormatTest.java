// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.verbs.Gid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures of all formats, as this project writes them and as other programs do. */
class CaptureFormatTest {

    private static final Gid IPV4_LEFT = new Gid(0, 0xffff_0a00_0001L);
    private static final Gid IPV4_RIGHT = new Gid(0, 0xffff_0a00_0002L);

    /** An ACK of a soft-RoCE device over IPv4: DF, an identification that is not 0, no checksum of UDP. */
    private static final String ACK = "45000030 8a5e4000 4011 9c5c 0a000002 0a000001" + "d0a6 12b7 001c 0000"
            + "1100ffff 00000011 00123456" + "1f000001" + "96ce154e";

    private static final String MACS = "020000000001 020000000002";

    /** Sent and received, over both protocols; times are whole microseconds. */
    private static final List<TraceEvent> EVENTS = List.of(
            new TraceEvent.PacketSent(1_000_002_000, "left", 17, IPV4_LEFT, IPV4_RIGHT, SampleEvents.write(5)),
            new TraceEvent.PacketReceived(1_000_003_000, "left", 17, IPV4_RIGHT, IPV4_LEFT, SampleEvents.write(0)),
            new TraceEvent.PacketSent(
                    1_999_999_000, "left", 17, SampleEvents.LEFT, SampleEvents.RIGHT, SampleEvents.write(1024)),
            new TraceEvent.PacketReceived(
                    5_000_000_000L, "left", 17, SampleEvents.RIGHT, SampleEvents.LEFT, SampleEvents.write(3)));

    @TempDir
    private Path directory;

    static Stream<CaptureFormat> formats() {
        List<CaptureFormat> formats = new ArrayList<>();
        for (CaptureFormat.Container container : CaptureFormat.Container.values()) {
            for (CaptureFormat.Link link : CaptureFormat.Link.values()) {
                for (CaptureFormat.Resolution resolution : CaptureFormat.Resolution.values()) {
                    formats.add(new CaptureFormat(container, link, resolution));
                }
            }
        }
        return formats.stream();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyFormatIsReadAsFarAsItHasAPlaceForIt(CaptureFormat format) throws IOException {
        boolean saysAll = format.container() == CaptureFormat.Container.PCAPNG;
        boolean saysDirection =
                saysAll || format.link() == CaptureFormat.Link.SLL || format.link() == CaptureFormat.Link.SLL2;
        List<TraceEvent> expected = EVENTS.stream()
                .map(event -> saysAll ? event : onInterfaceZero(event, saysDirection))
                .toList();
        assertThat(read(written(format))).isEqualTo(expected);
    }

    private static TraceEvent onInterfaceZero(TraceEvent event, boolean saysDirection) {
        if (event instanceof TraceEvent.PacketSent sent) {
            return new TraceEvent.PacketSent(
                    sent.timeNanos(), "interface 0", 0, sent.source(), sent.destination(), sent.packet());
        }
        TraceEvent.PacketReceived received = (TraceEvent.PacketReceived) event;
        return saysDirection
                ? new TraceEvent.PacketReceived(
                        received.timeNanos(),
                        "interface 0",
                        0,
                        received.source(),
                        received.destination(),
                        received.packet())
                : new TraceEvent.PacketSent(
                        received.timeNanos(),
                        "interface 0",
                        0,
                        received.source(),
                        received.destination(),
                        received.packet());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void wiresharkReadsEveryFormat(CaptureFormat format) throws Exception {
        Tshark.assumeInstalled();
        Path file = directory.resolve("capture");
        Files.write(file, written(format));
        List<String> expected = List.of(
                "1.000002000 10.0.0.1 10.0.0.2 64 10 0x00012305",
                "1.000003000 10.0.0.2 10.0.0.1 64 10 0x00012305",
                "1.999999000 fe80::1 fe80::2 10 0x00012305",
                "5.000000000 fe80::2 fe80::1 10 0x00012305");
        List<String> fields = Stream.of(
                        "frame.time_epoch",
                        "ip.src",
                        "ip.dst",
                        "ipv6.src",
                        "ipv6.dst",
                        "ip.ttl",
                        "infiniband.bth.opcode",
                        "infiniband.reth.r_key")
                .flatMap(field -> Stream.of("-e", field))
                .toList();
        List<String> arguments = new ArrayList<>(List.of("-T", "fields"));
        arguments.addAll(fields);
        assertThat(Tshark.read(file, arguments.toArray(String[]::new)))
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .isEqualTo(expected);
        assertThat(Tshark.read(file, "-Y", "_ws.malformed || _ws.expert.severity >= 0x600000"))
                .isEmpty();
        assertThat(Tshark.read(
                        file,
                        "-o",
                        "udp.check_checksum:TRUE",
                        "-o",
                        "ip.check_checksum:TRUE",
                        "-Y",
                        "udp.checksum.status == 1 && (ipv6 || ip.checksum.status == 1)"))
                .hasSize(4);
    }

    /** With the programs of Wireshark as the writer. */
    @ParameterizedTest
    @ValueSource(strings = {"pcap", "nsecpcap", "pcapng"})
    void whatWiresharkWritesIsRead(String type) throws Exception {
        Tshark.assumeInstalled();
        Path file = directory.resolve("capture");
        Path converted = directory.resolve("converted");
        Files.write(file, written(CaptureFormat.parse("ethernet")));
        Tshark.read(file, "-F", type, "-w", converted.toString());
        assertThat(read(Files.readAllBytes(converted)))
                .extracting(TraceEvent::timeNanos)
                .containsExactly(1_000_002_000L, 1_000_003_000L, 1_999_999_000L, 5_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1   | MACS 0800 ACK",
                "1   | MACS 0800 ACK 00000000",
                "1   | MACS 8100 6003 0800 ACK",
                "1   | MACS 88a8 0007 8100 6003 0800 ACK",
                "101 | ACK",
                "12  | ACK",
                "228 | ACK",
                "0   | 02000000 ACK",
                "108 | 00000002 ACK",
                "113 | 0000 0001 0006 020000000001 0000 0800 ACK",
                "113 | 0000 0001 0006 020000000001 0000 8100 0003 0800 ACK",
                "276 | 0800 0000 00000002 0001 00 06 020000000001 0000 ACK"
            })
    void packetOfASoftRoceDeviceIsReadBehindEveryLinkHeader(int linkType, String frame) throws IOException {
        TraceEvent event = read(pcap(linkType, frame, 0)).get(0);
        String packet = event instanceof TraceEvent.PacketSent sent
                ? sent.source() + " " + sent.packet()
                : ((TraceEvent.PacketReceived) event).source() + " " + ((TraceEvent.PacketReceived) event).packet();
        assertThat(event.timeNanos()).isEqualTo(1_700_000_000_000_007_000L);
        assertThat(packet)
                .isEqualTo("0000:0000:0000:0000:0000:ffff:0a00:0002"
                        + " ACKNOWLEDGE psn=1193046 dqp=0x11 syndrome=0x1f (ACK) msn=1 nomig");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1   | MACS 0806 0001080006040001                   | not IP",
                "1   | MACS 8100 6003                               | not IP",
                "1   | MACS 0800                                    | not IP",
                "1   | MACS 0800 4500                               | cut off within the IP header",
                "101 | 4500002c00004000 4006 0000 0a000001 0a000002 | not UDP",
                "101 | 4500003000002000 4011 0000 0a000001 0a000002 | a fragment",
                "101 | 4500003000004000 4011 0000 0a000001 0a000002 | cut off within the UDP header",
                "195 | 00                                           | of link type 195"
            })
    void whatElseIsInACaptureIsSkippedAndCounted(int linkType, String frame, String kind) throws IOException {
        CaptureReader reader = new CaptureReader(new ByteArrayInputStream(pcap(linkType, frame, 0)));
        assertThat(reader.next()).isNull();
        assertThat(reader.skipped()).containsExactly(Map.entry(kind, 1));
    }

    @Test
    void identificationThatWasChangedOnTheWayIsNoticed() {
        byte[] file = pcap(101, ACK.replace("8a5e4000", "8a5f4000"), 0);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining(
                        "packet 1 at byte 24 of the capture: icrc=0x96ce154e but the bytes before it give");
    }

    @Test
    void packetOfWhichOnlyAPartWasKeptIsRefused() {
        assertThatThrownBy(() -> read(pcap(101, ACK.substring(0, ACK.length() - 16), 8)))
                .hasMessageContaining("only 40 of 48 bytes of the packet were kept, and its datagram needs 48");
    }

    @ParameterizedTest
    @CsvSource({
        "4, 0003, it is of pcap version 3 != 2",
        "32, ffffffff, -1 of lengthBytes=48 were kept",
        "36, 0000002f, 48 of lengthBytes=47 were kept",
        "32, 00000031 00000031, packet 1 at byte 24 of the capture: the file ends after 48 of 49 bytes"
    })
    void brokenFileOfTheClassicFormatIsRefused(int at, String bytes, String sentence) {
        byte[] file = pcap(101, ACK, 0);
        byte[] change = HexFormat.of().parseHex(bytes.replace(" ", ""));
        System.arraycopy(change, 0, file, at, change.length);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void brokenCompressedFileIsRefused() {
        assertThatThrownBy(() -> read(HexFormat.of().parseHex("1f8b0800000000")))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("the compressed capture is broken");
    }

    @Test
    void formatIsReadFromItsWords() {
        assertThat(CaptureFormat.parse("pcapng")).isEqualTo(CaptureFormat.USUAL);
        assertThat(CaptureFormat.parse("Ethernet, pcap")).hasToString("pcap,ethernet,nanoseconds");
        assertThat(formats().map(format -> CaptureFormat.parse(format.toString())))
                .containsExactlyElementsOf(formats().toList());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CaptureFormat.parse("pcap,wifi"))
                .withMessage("'wifi' is not one of pcapng, pcap, raw, ethernet, sll, sll2, nanoseconds, microseconds");
    }

    private static byte[] written(CaptureFormat format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapngTap tap = PcapngTap.of(bytes, format, true)) {
            EVENTS.forEach(tap::on);
        }
        return bytes.toByteArray();
    }

    /** A big-endian file of microseconds with one frame, of which some bytes were not kept. */
    private static byte[] pcap(int linkType, String frame, int missingBytes) {
        String hex = frame.replace("ACK", ACK).replace("MACS", MACS).replace(" ", "");
        int lengthBytes = hex.length() / 2;
        String head = "a1b2c3d4 00020004 00000000 00000000 0000ffff" + String.format("%08x", linkType);
        String packet = String.format("6553f100 00000007 %08x %08x", lengthBytes, lengthBytes + missingBytes);
        return HexFormat.of().parseHex((head + packet + hex).replace(" ", ""));
    }

    private static List<TraceEvent> read(byte[] bytes) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (CaptureReader reader = new CaptureReader(new ByteArrayInputStream(bytes))) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                events.add(event);
            }
        }
        return events;
    }
}
