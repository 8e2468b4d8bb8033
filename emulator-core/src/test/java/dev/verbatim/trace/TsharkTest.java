// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.PacketRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Wireshark's own reader makes of a capture, where it is installed. */
class TsharkTest {

    @TempDir
    static Path directory;

    private static final RecordingTap SEEN = new RecordingTap();

    @BeforeAll
    static void captureATalk() throws Exception {
        Tshark.assumeInstalled();
        try (PcapngTap tap = new PcapngTap(Files.newOutputStream(capture()));
                RcPair pair = pair(tap.and(SEEN))) {
            talk(pair);
        }
    }

    @Test
    void everyPacketIsRecognisedWithItsFields() throws Exception {
        List<String> expected = SEEN.events(TraceEvent.PacketSent.class).stream()
                .map(TsharkTest::row)
                .toList();
        assertThat(expected).hasSizeGreaterThan(15);
        assertThat(tshark(
                        "-T",
                        "fields",
                        "-E",
                        "separator=/s",
                        "-E",
                        "occurrence=f",
                        "-e",
                        "frame.interface_name",
                        "-e",
                        "ipv6.src",
                        "-e",
                        "infiniband.bth.opcode",
                        "-e",
                        "infiniband.bth.psn",
                        "-e",
                        "infiniband.bth.destqp",
                        "-e",
                        "infiniband.reth.r_key"))
                .map(String::strip)
                .containsExactlyElementsOf(expected);
    }

    @Test
    void nothingIsFoundMalformedAndEveryChecksumGood() throws Exception {
        assertThat(tshark("-Y", "_ws.malformed || _ws.expert.severity >= 0x600000"))
                .isEmpty();
        int packets = SEEN.events(TraceEvent.PacketSent.class).size();
        assertThat(tshark("-o", "udp.check_checksum:TRUE", "-Y", "udp.checksum.status == 1"))
                .hasSize(packets);
    }

    /** It does not compute the ICRC, but finds it where headers, payload and pad end. */
    @Test
    void invariantCrcIsFoundBehindEveryPacket() throws Exception {
        List<String> found = tshark("-T", "fields", "-e", "infiniband.invariant.crc", "-e", "data.data");
        int packets = SEEN.events(TraceEvent.PacketSent.class).size();
        assertThat(found).hasSize(packets).allMatch(row -> row.matches("0x[0-9a-f]{8}\\t.*"));
    }

    private static String row(TraceEvent.PacketSent sent) {
        PacketRecord packet = sent.packet();
        String key = packet.opcode().has(Header.RETH) || packet.opcode().has(Header.ATOMIC_ETH)
                ? String.format(" 0x%08x", packet.toPacket().remoteKey())
                : "";
        return String.format(
                "%s fe80::200:0:0:%x %d %d 0x%06x%s",
                sent.device(),
                sent.source().interfaceId() & 0xffff,
                packet.opcode().code(),
                packet.psn(),
                packet.bth().destQp(),
                key);
    }

    private static RcPair pair(Tap tap) {
        Verbatim fabric = Verbatim.inProcess().tap(tap);
        return new RcPair(
                        new Side(fabric.open("left"), QpCapabilities.USUAL),
                        new Side(fabric.open("right"), QpCapabilities.USUAL),
                        new RecordingTap(),
                        fabric::close)
                .connect(RcConnection.USUAL);
    }

    /** Some of everything, of odd lengths and of several packets, and a refusal at the end. */
    private static void talk(RcPair pair) {
        Side left = pair.left;
        Side right = pair.right;
        right.qp.postRecv(ReceiveWorkRequest.of(1, right.sge(0, 4096)));
        List<SendWorkRequest> requests = List.of(
                SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 3001)),
                SendWorkRequest.read(2, right.address(0), right.rkey(), left.sge(0, 2049)),
                SendWorkRequest.sendWithImmediate(3, 0xcafe, left.sge(0, 1025)),
                SendWorkRequest.compareAndSwap(4, right.address(8), right.rkey(), 0, 1, left.sge(0, 8)),
                SendWorkRequest.fetchAndAdd(5, right.address(8), right.rkey(), 1, left.sge(0, 8)),
                SendWorkRequest.write(6, right.address(0), right.rkey(), left.sge(0, 0)));
        for (SendWorkRequest request : requests) {
            left.qp.postSend(request);
            assertThat(left.sent().isSuccess()).isTrue();
        }
        left.qp.postSend(SendWorkRequest.write(7, right.address(0), 0xbad, left.sge(0, 5)));
        assertThat(left.sent().isSuccess()).isFalse();
    }

    private static Path capture() {
        return directory.resolve("talk.pcapng");
    }

    private static List<String> tshark(String... arguments) throws IOException, InterruptedException {
        return Tshark.read(capture(), arguments);
    }
}
