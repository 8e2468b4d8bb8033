// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbatim.testing.Rule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketViewTest {
    private final PacketView view = new PacketView();

    @Test
    @Rule("TV-08")
    void sendOnlyIsReadAsInTheVector() {
        assertThat(wrap("0400ffff0000001180123456")).isNull();
        assertThat(view.opcode()).isEqualTo(Opcode.SEND_ONLY);
        assertThat(view.pkey()).isEqualTo(0xffff);
        assertThat(view.destQp()).isEqualTo(0x11);
        assertThat(view.ackRequest()).isTrue();
        assertThat(view.psn()).isEqualTo(0x123456);
        assertThat(view.solicited()).isFalse();
        assertThat(view.migRequest()).isFalse();
        assertThat(view.fecn()).isFalse();
        assertThat(view.becn()).isFalse();
        assertThat(view.padCount()).isZero();
        assertThat(view.payloadLengthBytes()).isZero();
    }

    @Test
    @Rule("TV-09")
    void rethIsReadAsInTheVector() {
        assertThat(wrap("0a00ffff0000001100000000" + "00007f00000010000001230500000064" + "01020300"))
                .isNull();
        assertThat(view.remoteAddress()).isEqualTo(0x7f0000001000L);
        assertThat(view.remoteKey()).isEqualTo(0x12305);
        assertThat(view.dmaLengthBytes()).isEqualTo(100);
    }

    @Test
    @Rule("TV-10")
    void atomicEthIsReadWithSwapBeforeCompare() {
        assertThat(wrap("1300ffff0000001100000000" + "00007f000000100800012305" + "00000000000000030000000000000002"))
                .isNull();
        assertThat(view.remoteAddress()).isEqualTo(0x7f0000001008L);
        assertThat(view.remoteKey()).isEqualTo(0x12305);
        assertThat(view.swapOrAdd()).isEqualTo(3);
        assertThat(view.compare()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "'', packet is cut off in its BTH: lengthBytes=0 < headerLengthBytes=12",
        "0400ffff00000011801234, packet is cut off in its BTH: lengthBytes=11 < headerLengthBytes=12",
        "1500ffff0000001180123456, opcode=0x15 is reserved",
        "4400ffff0000001180123456, opcode=0x44 is reserved",
        "6400ffff0000001180123456, UD_SEND_ONLY is cut off in its DETH",
        "0402ffff0000001180123456, SEND_ONLY has transportVersion=2 != 0",
        "0a00ffff0000001100000000aabbccdd, RDMA_WRITE_ONLY is cut off in its RETH: lengthBytes=16 < headerLengthBytes=28",
        "1c00ffff000000110000000000000001aabb, FLUSH is cut off in its RETH: lengthBytes=18 < headerLengthBytes=32",
        "1c00ffff000000110000000000000001, FLUSH is cut off in its RETH: lengthBytes=16 < headerLengthBytes=32",
        "1c00ffff00000011000000000000, FLUSH is cut off in its FETH: lengthBytes=14 < headerLengthBytes=32",
        "1100ffff000000110000000040000000, ACKNOWLEDGE has reserved syndrome=0x40",
        "1100ffff000000110000000065000000, ACKNOWLEDGE has reserved syndrome=0x65",
        "1100ffff000000110000000080000000, ACKNOWLEDGE has reserved syndrome=0x80",
        "1100ffff00000011000000001f00000000000000, ACKNOWLEDGE has 4 bytes behind its headers",
        "0400ffff000000118012345601, 'SEND_ONLY has payload and pad of 1 bytes, no multiple of 4'",
        "0410ffff0000001180123456, SEND_ONLY has padCount=1 > 0 bytes of payload and pad",
        "1130ffff00000011000000001f000000, ACKNOWLEDGE has padCount=3 > 0 bytes",
    })
    void brokenPacketIsRefusedWithItsNameAndNumbers(String hex, String sentence) {
        assertThat(wrap(hex)).startsWith(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "00000004, reserved flushType=4 > 3",
        "00000021, reserved flushLevel=2 > 1",
    })
    @Rule("NW-02")
    void flushOfUnknownTypeOrLevelIsRefused(String feth, String sentence) {
        assertThat(wrap("1c00ffff0000001100000000" + feth + "00".repeat(16))).contains(sentence);
    }

    /** Transmitted as 0 and ignored on receive: the packet is that without them, and so is what is made of it. */
    @ParameterizedTest
    @CsvSource({
        "0400ffff3f000011ff123456, 0400ffff0000001180123456",
        "6400ffff00000011001234560000123411000012, 6400ffff00000011001234560000123400000012",
        "a400ffff0000001100123456ff000012, a400ffff000000110012345600000012",
        "1c00ffff000000110000000000000041, 1c00ffff000000110000000000000001",
        "1c00ffff0000001100000000ffffffd3, 1c00ffff000000110000000000000013",
    })
    @Rule("HD-01")
    void reservedBitsAreIgnoredAndNotEchoed(String hex, String without) {
        String reth = hex.startsWith("1c") ? "00".repeat(16) : "";
        assertThat(wrap(hex + reth)).isNull();
        byte[] bytes = HexFormat.of().parseHex(hex + reth);
        byte[] plain = HexFormat.of().parseHex(without + reth);
        assertThat(bytes).isNotEqualTo(plain);
        assertThat(PacketRecord.parse(bytes)).isEqualTo(PacketRecord.parse(plain));
        assertThat(PacketRecord.parse(bytes).emit()).isEqualTo(plain);
    }

    @ParameterizedTest
    @CsvSource({"0, 13", "-1, 12", "1, 12", "0, -1", "2147483647, 2147483647", "12, -2147483648"})
    void rangeOutsideTheBufferIsRefused(int offset, int lengthBytes) {
        ByteBuffer twelve = ByteBuffer.wrap(HexFormat.of().parseHex("0400ffff0000001180123456ffff"))
                .limit(12);
        assertThat(view.wrap(twelve, offset, lengthBytes))
                .contains("offset=" + offset + " lengthBytes=" + lengthBytes)
                .contains("limit=12");
    }

    @Test
    void padIsLeftOutOfThePayloadWhateverItHolds() {
        assertThat(wrap("0430ffff0000001180123456" + "aa010203")).isNull();
        assertThat(view.padCount()).isEqualTo(3);
        assertThat(view.payloadOffset()).isEqualTo(12);
        assertThat(view.payloadLengthBytes()).isEqualTo(1);
    }

    @Test
    void packetInTheMiddleOfALittleEndianBufferIsReadInPlace() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(7, HexFormat.of().parseHex("0410ffff0000001180123456" + "aabbcc00"));
        Packet packet = new Packet();

        assertThat(view.wrap(buffer, 7, 16)).isNull();
        view.readInto(packet);

        assertThat(packet.psn()).isEqualTo(0x123456);
        assertThat(packet.payload().pieces()).isEqualTo(1);
        assertThat(packet.payload().buffer(0)).isSameAs(buffer);
        assertThat(packet.payload().offset(0)).isEqualTo(19);
        assertThat(packet.payload().length(0)).isEqualTo(3);
        assertThat(buffer.position()).isZero();
    }

    @Test
    void readingReplacesWhateverTheHolderHeld() {
        Packet packet =
                new Packet().begin(Opcode.RDMA_WRITE_ONLY_WITH_IMM).remoteKey(7).immediate(9);
        packet.payload().add(ByteBuffer.allocate(4), 0, 4);
        assertThat(wrap("0400ffff0000001180123456")).isNull();
        view.readInto(packet);
        assertThat(packet.remoteKey()).isZero();
        assertThat(packet.immediate()).isZero();
        assertThat(packet.payload().pieces()).isZero();
    }

    @Test
    void nothingCanBeReadBeforeAPacketIsWrappedOrAfterARefusal() {
        assertThatIllegalStateException().isThrownBy(view::psn).withMessageContaining("no packet is wrapped");
        assertThat(wrap("0400ffff0000001180123456")).isNull();
        assertThat(wrap("04")).isNotNull();
        assertThatIllegalStateException().isThrownBy(view::opcode);
        assertThatIllegalStateException().isThrownBy(view::payloadLengthBytes);
        assertThatIllegalStateException().isThrownBy(() -> view.readInto(new Packet()));
    }

    @Test
    void fieldOfAHeaderThatIsNotThereIsRefused() {
        assertThat(wrap("0400ffff0000001180123456" + "00".repeat(64))).isNull();
        assertThatIllegalArgumentException().isThrownBy(view::remoteKey).withMessageContaining("carries no RETH");
        assertThatIllegalArgumentException().isThrownBy(view::remoteAddress);
        assertThatIllegalArgumentException().isThrownBy(view::dmaLengthBytes);
        assertThatIllegalArgumentException().isThrownBy(view::swapOrAdd);
        assertThatIllegalArgumentException().isThrownBy(view::compare);
        assertThatIllegalArgumentException().isThrownBy(view::syndrome);
        assertThatIllegalArgumentException().isThrownBy(view::messageSequence);
        assertThatIllegalArgumentException().isThrownBy(view::originalData);
        assertThatIllegalArgumentException().isThrownBy(view::immediate);
        assertThatIllegalArgumentException().isThrownBy(view::invalidateKey);
        assertThatIllegalArgumentException().isThrownBy(view::flushType);
        assertThatIllegalArgumentException().isThrownBy(view::flushLevel);
    }

    private String wrap(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length);
    }
}
