// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureReaderTest {
    private static final int INTERFACE_AT = 0x2c;
    private static final int PACKET_AT = 0x2c + 0x80;
    private static final int DATAGRAM_AT = PACKET_AT + 28;

    private final byte[] capture = capture();

    @ParameterizedTest
    @ValueSource(strings = {"GIF89a, which is a picture", "d4c3b2a1, which are the digits of a magic"})
    void foreignFileIsRefusedByItsFirstBytes(String text) {
        assertRefused(text.getBytes(StandardCharsets.US_ASCII), "only captures of pcapng and pcap are read");
    }

    @Test
    void emptyFileIsRefusedAsCutOff() {
        assertRefused(new byte[0], "block 1 at byte 0 of the capture: the file ends after 0 of its 12 bytes");
    }

    @Test
    void fileThatEndsWithinAPacketSaysWhere() {
        assertRefused(
                Arrays.copyOf(capture, capture.length - 1),
                "block 3 at byte 172 of the capture: the file ends after 139 of its 140 bytes; what comes before is whole");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8   | 00000000 | block 1 at byte 0 of the capture: its byte order magic 0x00000000 is unknown",
                "12  | 0200     | it is of pcapng version 2 != 1",
                "4   | 2d000000 | its lengthBytes=45 is no multiple of 4",
                "4   | 08000000 | its lengthBytes=8 is no multiple of 4 in 12..16777216",
                "4   | 00000080 | its lengthBytes=-2147483648 is no multiple",
                "40  | 30000000 | its length is 44 before and 48 behind it",
                "44  | 03000000 | it names interface 0, but there are 0",
                "62  | ff7f     | its option 2 is of lengthBytes=32767 > ",
                "180 | 01000000 | it names interface 1, but there are 1",
                "180 | ffffffff | it names interface -1, but there are 1",
                "196 | 50000000 | 88 of its 80 bytes were kept; the file is broken",
                "192 | 9000000090000000 | its packet is of lengthBytes=144, not within the 108 that are left",
                "192 | fcfffffffcffffff | its packet is of lengthBytes=-4, not within the 108 that are left",
                "276 | 7f       | icrc=0x"
            })
    void brokenOrForeignBlockIsRefusedWithASentence(int at, String bytes, String sentence) {
        byte[] change = HexFormat.of().parseHex(bytes);
        System.arraycopy(change, 0, capture, at, change.length);
        assertRefused(capture, sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "52  | fa00 | of link type 250",
                "52  | 0100 | not IP",
                "200 | 50   | not IP",
                "206 | 06   | not UDP",
                "242 | 12b8 | of another port",
                "248 | 81   | a congestion notification"
            })
    void frameOfAnotherKindIsSkippedAndCounted(int at, String bytes, String kind) throws IOException {
        byte[] change = HexFormat.of().parseHex(bytes);
        System.arraycopy(change, 0, capture, at, change.length);
        CaptureReader reader = reader(capture);
        assertThat(reader.next()).isNull();
        assertThat(reader.skipped()).containsExactly(Map.entry(kind, 1));
    }

    @Test
    void packetBehindABrokenOneIsRead() throws IOException {
        byte[] packet = Arrays.copyOfRange(capture, PACKET_AT, capture.length);
        capture[capture.length - 30] ^= 1;
        CaptureReader reader = reader(join(capture, packet));
        assertThatThrownBy(reader::next).hasMessageContaining("icrc=0x");
        assertThat(reader.next()).isEqualTo(SampleEvents.SENT);
        assertThat(reader.next()).isNull();
    }

    @Test
    void nothingIsReadBehindABrokenBlock() throws IOException {
        CaptureReader reader =
                reader(join(Arrays.copyOf(capture, capture.length - 4), new byte[] {1, 0, 0, 0}, capture));
        assertThatThrownBy(reader::next).hasMessageContaining("its length is 140 before and 1 behind it");
        assertThat(reader.next()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"06, 2500000", "03, 2500000000", "0c, 2", "80, 2500000000000", "8a, 2441406250", "00, 2500000000000"})
    void timesOfAnyUnitAreNanoseconds(String resolution, long timeNanos) throws IOException {
        capture[160] = HexFormat.of().parseHex(resolution)[0];
        assertThat(reader(capture).next().timeNanos()).isEqualTo(timeNanos);
    }

    @ParameterizedTest
    @CsvSource({"0a0d0d0a, 12, 16", "01000000, 4, 8", "06000000, 16, 20"})
    void blockTooShortForItsTypeIsRefused(String type, int bodyBytes, int neededBytes) {
        ByteBuffer block = ByteBuffer.allocate(12 + bodyBytes).order(ByteOrder.LITTLE_ENDIAN);
        block.put(HexFormat.of().parseHex(type)).putInt(12 + bodyBytes);
        block.putInt(0x1a2b3c4d).putInt(8 + bodyBytes, 12 + bodyBytes);
        byte[] bytes = join(Arrays.copyOf(capture, PACKET_AT), block.array());
        assertRefused(bytes, "its body is of lengthBytes=" + bodyBytes + " < " + neededBytes);
    }

    @Test
    void blocksAndOptionsOfOtherKindsAreSkipped() throws IOException {
        byte[] unknownBlock = HexFormat.of().parseHex("05000000" + "10000000" + "01020304" + "10000000");
        byte[] emptyBlock = HexFormat.of().parseHex("ad0b0000" + "0c000000" + "0c000000");
        byte[] comment = HexFormat.of().parseHex("0100" + "0200" + "68690000");
        byte[] packet = Arrays.copyOfRange(capture, PACKET_AT, capture.length);
        byte[] commented = join(Arrays.copyOf(packet, 116), comment, Arrays.copyOfRange(packet, 116, packet.length));
        ByteBuffer.wrap(commented)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(4, commented.length)
                .putInt(commented.length - 4, commented.length);
        byte[] bytes = join(Arrays.copyOf(capture, PACKET_AT), unknownBlock, emptyBlock, commented, unknownBlock);
        try (CaptureReader reader = reader(bytes)) {
            assertThat(reader.next()).isEqualTo(SampleEvents.SENT);
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void packetWithoutOptionsIsOneSentByNoQueuePairInParticular() throws IOException {
        byte[] bare =
                join(Arrays.copyOf(capture, DATAGRAM_AT + 88), HexFormat.of().parseHex("78000000"));
        bare[PACKET_AT + 4] = 0x78;
        TraceEvent.PacketSent sent = SampleEvents.SENT;
        assertThat(reader(bare).next())
                .isEqualTo(new TraceEvent.PacketSent(
                        sent.timeNanos(), sent.device(), 0, sent.source(), sent.destination(), sent.packet()));
    }

    @Test
    void interfaceWithoutNameIsNamedByItsNumber() throws IOException {
        capture[INTERFACE_AT + 16] = 0x7f;
        assertThat(reader(capture).next().device()).isEqualTo("interface 0");
    }

    @Test
    void capturesOneBehindTheOtherAreReadAsOne() throws IOException {
        try (CaptureReader reader = reader(join(capture, capture))) {
            assertThat(reader.next()).isEqualTo(SampleEvents.SENT);
            assertThat(reader.next()).isEqualTo(SampleEvents.SENT);
            assertThat(reader.next()).isNull();
        }
        byte[] packetAlone = Arrays.copyOfRange(capture, PACKET_AT, capture.length);
        byte[] withoutInterface = join(capture, Arrays.copyOf(capture, INTERFACE_AT), packetAlone);
        CaptureReader reader = reader(withoutInterface);
        reader.next();
        assertThatThrownBy(reader::next).hasMessageContaining("it names interface 0, but there are 0");
    }

    @Test
    void bigEndianCaptureIsRead() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(1000);
        block.putInt(0x0a0d0d0a)
                .putInt(28)
                .putInt(0x1a2b3c4d)
                .putInt(0x0001_0000)
                .putLong(-1)
                .putInt(28);
        block.putInt(1).putInt(36).putShort((short) 101).putShort((short) 0).putInt(0);
        block.putShort((short) 2).putShort((short) 4).put("left".getBytes(StandardCharsets.US_ASCII));
        block.putShort((short) 9).putShort((short) 1).putInt(0x0900_0000).putInt(36);
        block.putInt(6)
                .putInt(120 + 8 + 8)
                .putInt(0)
                .putInt(0)
                .putInt(2500)
                .putInt(88)
                .putInt(88);
        block.put(capture, DATAGRAM_AT, 88);
        block.putShort((short) 2)
                .putShort((short) 4)
                .putInt(2)
                .putShort((short) 6)
                .putShort((short) 4)
                .putInt(17);
        block.putInt(120 + 8 + 8);
        assertThat(reader(Arrays.copyOf(block.array(), block.position())).next())
                .isEqualTo(SampleEvents.SENT);
    }

    private static byte[] capture() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        new PcapngTap(written).on(SampleEvents.SENT);
        return written.toByteArray();
    }

    private static CaptureReader reader(byte[] bytes) {
        return new CaptureReader(new ByteArrayInputStream(bytes));
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    private static void assertRefused(byte[] bytes, String sentence) {
        assertThatThrownBy(() -> {
                    CaptureReader reader = reader(bytes);
                    while (reader.next() != null) {
                        assertThat(bytes).isNotEmpty();
                    }
                })
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining(sentence);
    }
}
