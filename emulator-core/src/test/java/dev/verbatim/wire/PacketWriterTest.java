// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.testing.Rule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketWriterTest {
    private final Packet packet = new Packet();

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 3", "2, 2", "3, 1", "4, 0", "5, 3"})
    @Rule("TV-03")
    void payloadIsPaddedWithZerosToWholeWords(int lengthBytes, int padCount) {
        packet.begin(Opcode.SEND_ONLY);
        byte[] payload = new byte[lengthBytes];
        Arrays.fill(payload, (byte) 0xaa);
        packet.payload().add(ByteBuffer.wrap(payload), 0, lengthBytes);

        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) 0xee);
        int written = PacketWriter.write(packet, ByteBuffer.wrap(bytes), 0);

        assertThat(PacketWriter.padCount(lengthBytes)).isEqualTo(padCount);
        assertThat(written).isEqualTo(12 + lengthBytes + padCount).isEqualTo(PacketWriter.encodedLengthBytes(packet));
        assertThat(bytes[1] >> 4 & 3).isEqualTo(padCount);
        assertThat(Arrays.copyOfRange(bytes, 12, 12 + lengthBytes)).isEqualTo(payload);
        assertThat(Arrays.copyOfRange(bytes, 12 + lengthBytes, written)).isEqualTo(new byte[padCount]);
        assertThat(bytes[written]).isEqualTo((byte) 0xee);
    }

    @Test
    @Rule("TV-08")
    void sendOnlyIsWrittenAsInTheVector() {
        packet.begin(Opcode.SEND_ONLY)
                .migRequest(false)
                .pkey(0xffff)
                .destQp(0x11)
                .ackRequest(true)
                .psn(0x123456);
        assertThat(written()).isEqualTo("0400ffff0000001180123456");
    }

    @Test
    void everyBitOfTheBaseHeaderHasItsPlace() {
        assertThat(written(packet.begin(Opcode.SEND_ONLY).solicited(true))).isEqualTo("04c0ffff0000000000000000");
        assertThat(written(packet.begin(Opcode.SEND_ONLY).migRequest(true))).isEqualTo("0440ffff0000000000000000");
        assertThat(written(packet.begin(Opcode.SEND_ONLY).fecn(true))).isEqualTo("0440ffff8000000000000000");
        assertThat(written(packet.begin(Opcode.SEND_ONLY).becn(true))).isEqualTo("0440ffff4000000000000000");
        assertThat(written(packet.begin(Opcode.SEND_ONLY).destQp(0xffffff))).isEqualTo("0440ffff00ffffff00000000");
        assertThat(written(packet.begin(Opcode.SEND_ONLY).psn(0xffffff))).isEqualTo("0440ffff0000000000ffffff");
        assertThat(written(packet.begin(Opcode.SEND_ONLY).pkey(0x8001))).isEqualTo("044080010000000000000000");
    }

    @Test
    @Rule("TV-09")
    void rethIsWrittenAsInTheVector() {
        packet.begin(Opcode.RDMA_READ_REQUEST)
                .remoteAddress(0x7f0000001000L)
                .remoteKey(0x12305)
                .dmaLengthBytes(100);
        assertThat(written())
                .endsWith("00007f0000001000" + "00012305" + "00000064")
                .hasSize(2 * 28);
    }

    @Test
    @Rule("TV-10")
    void atomicEthIsWrittenWithSwapBeforeCompare() {
        packet.begin(Opcode.COMPARE_SWAP)
                .remoteAddress(0x7f0000001008L)
                .remoteKey(0x12305)
                .swapOrAdd(3)
                .compare(2);
        assertThat(written())
                .endsWith("00007f0000001008" + "00012305" + "0000000000000003" + "0000000000000002")
                .hasSize(2 * 40);
    }

    @Test
    @Rule({"TV-07", "ACK-01"})
    void acknowledgementsCarrySyndromeThenSequenceThenOriginalData() {
        packet.begin(Opcode.ACKNOWLEDGE).syndrome(Syndrome.NAK_REMOTE_ACCESS).messageSequence(0x010203);
        assertThat(written()).endsWith("62010203").hasSize(2 * 16);
        packet.begin(Opcode.ATOMIC_ACKNOWLEDGE).syndrome(Syndrome.ACK_NO_CREDIT).originalData(0x1122334455667788L);
        assertThat(written()).endsWith("1f000000" + "1122334455667788").hasSize(2 * 24);
    }

    @Test
    @Rule("HD-01")
    void immediateFollowsRethAndFlushTypePrecedesIt() {
        packet.begin(Opcode.RDMA_WRITE_ONLY_WITH_IMM).remoteKey(0xabcdef01).immediate(0xdeadbeef);
        assertThat(written()).endsWith("abcdef01" + "00000000" + "deadbeef").hasSize(2 * 32);
        packet.begin(Opcode.FLUSH).flushType(2).flushLevel(1).remoteKey(0xabcdef01);
        assertThat(written())
                .endsWith("00000012" + "0000000000000000" + "abcdef01" + "00000000")
                .hasSize(2 * 32);
        packet.begin(Opcode.SEND_ONLY_WITH_INVALIDATE).invalidateKey(0x12305);
        assertThat(written()).endsWith("00012305").hasSize(2 * 16);
    }

    @Test
    void targetKeepsItsPositionAndItsByteOrderDoesNotMatter() {
        packet.begin(Opcode.COMPARE_SWAP).psn(0x123456).swapOrAdd(3).compare(2).remoteKey(0x12305);
        String big = written();
        ByteBuffer target = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
        target.position(5).limit(60);

        int written = PacketWriter.write(packet, target, 20);

        assertThat(target.position()).isEqualTo(5);
        assertThat(target.limit()).isEqualTo(60);
        byte[] bytes = new byte[written];
        target.get(20, bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(big);
        assertThat(target.get(19)).isZero();
    }

    @Test
    void headersAloneAnnounceThePadOfThePayloadThatFollows() {
        packet.begin(Opcode.SEND_ONLY);
        packet.payload().add(ByteBuffer.wrap("RDMA!".getBytes(StandardCharsets.US_ASCII)), 0, 5);
        byte[] bytes = new byte[12];
        assertThat(PacketWriter.writeHeaders(packet, ByteBuffer.wrap(bytes), 0)).isEqualTo(12);
        assertThat(bytes[1]).isEqualTo((byte) 0x70);
    }

    @Test
    void targetWithoutRoomIsRefusedBeforeAnythingIsWritten() {
        packet.begin(Opcode.SEND_ONLY).psn(0xffffff);
        packet.payload().add(ByteBuffer.allocate(8), 0, 8);
        byte[] bytes = new byte[20];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PacketWriter.write(packet, ByteBuffer.wrap(bytes), 1))
                .withMessageContaining("SEND_ONLY needs 20 bytes at offset=1 but the target's limit=20");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PacketWriter.writeHeaders(packet, ByteBuffer.wrap(bytes), 9));
        assertThatIllegalArgumentException().isThrownBy(() -> PacketWriter.write(packet, ByteBuffer.wrap(bytes), -1));
        assertThat(bytes).containsOnly(0);
    }

    @Test
    void payloadOnAPacketThatCarriesNoneIsRefused() {
        packet.begin(Opcode.ACKNOWLEDGE);
        packet.payload().add(ByteBuffer.allocate(4), 0, 4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PacketWriter.write(packet, ByteBuffer.allocate(64), 0))
                .withMessageContaining("ACKNOWLEDGE carries no payload but has one of lengthBytes=4");
    }

    private String written(Packet ignored) {
        assertThat(ignored).isSameAs(packet);
        return written();
    }

    private String written() {
        byte[] bytes = new byte[PacketWriter.encodedLengthBytes(packet)];
        assertThat(PacketWriter.write(packet, ByteBuffer.wrap(bytes), 0)).isEqualTo(bytes.length);
        return HexFormat.of().formatHex(bytes);
    }
}
