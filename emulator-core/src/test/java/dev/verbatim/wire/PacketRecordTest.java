// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketRecordTest {
    private final Packet packet = new Packet();

    @Test
    void lineShowsWhatTheOpcodeCarriesAndWhatIsUnusual() {
        packet.begin(Opcode.RDMA_WRITE_ONLY)
                .psn(5)
                .destQp(0x11)
                .remoteAddress(0x7f0000001000L)
                .remoteKey(0x12305)
                .dmaLengthBytes(100)
                .ackRequest(true);
        packet.payload().add(ByteBuffer.allocate(100), 0, 100);
        assertThat(PacketRecord.of(packet))
                .hasToString(
                        "RDMA_WRITE_ONLY psn=5 dqp=0x11 va=0x7f0000001000 rkey=0x00012305 len=100 payload=100B ackreq");
    }

    @Test
    void lineShowsEachHeaderInItsOwnWords() {
        assertLine(
                packet.begin(Opcode.COMPARE_SWAP).remoteKey(1).swapOrAdd(3).compare(2),
                "COMPARE_SWAP psn=0 dqp=0x0 va=0x0 rkey=0x00000001 swap=0x3 compare=0x2");
        assertLine(
                packet.begin(Opcode.FETCH_ADD).remoteAddress(-8).swapOrAdd(-1),
                "FETCH_ADD psn=0 dqp=0x0 va=0xfffffffffffffff8 rkey=0x00000000 add=0xffffffffffffffff");
        assertLine(
                packet.begin(Opcode.FETCH_ADD).compare(2),
                "FETCH_ADD psn=0 dqp=0x0 va=0x0 rkey=0x00000000 add=0x0 compare=0x2");
        assertLine(
                packet.begin(Opcode.ACKNOWLEDGE).syndrome(0x2e).messageSequence(7),
                "ACKNOWLEDGE psn=0 dqp=0x0 syndrome=0x2e (RNR NAK 1.28 ms) msn=7");
        assertLine(
                packet.begin(Opcode.ATOMIC_ACKNOWLEDGE).syndrome(0x1f).originalData(9),
                "ATOMIC_ACKNOWLEDGE psn=0 dqp=0x0 syndrome=0x1f (ACK) msn=0 original=0x9");
        assertLine(
                packet.begin(Opcode.SEND_ONLY_WITH_IMM).immediate(0xdeadbeef).solicited(true),
                "SEND_ONLY_WITH_IMM psn=0 dqp=0x0 imm=0xdeadbeef solicited");
        assertLine(
                packet.begin(Opcode.SEND_LAST_WITH_INVALIDATE).invalidateKey(-1),
                "SEND_LAST_WITH_INVALIDATE psn=0 dqp=0x0 inv=0xffffffff");
        assertLine(
                packet.begin(Opcode.FLUSH).flushType(2).flushLevel(1).dmaLengthBytes(-1),
                "FLUSH psn=0 dqp=0x0 type=2 level=1 va=0x0 rkey=0x00000000 len=4294967295");
        assertLine(
                packet.begin(Opcode.SEND_ONLY)
                        .fecn(true)
                        .becn(true)
                        .migRequest(false)
                        .pkey(0x8001),
                "SEND_ONLY psn=0 dqp=0x0 fecn becn nomig pkey=0x8001");
    }

    @Test
    void fieldsThatTheOpcodeDoesNotCarryDoNotCount() {
        PacketRecord plain = PacketRecord.of(packet.begin(Opcode.SEND_ONLY));
        assertThat(PacketRecord.of(packet.remoteKey(7).immediate(9).syndrome(0x40)))
                .isEqualTo(plain)
                .hasSameHashCodeAs(plain);
        assertThat(PacketRecord.of(packet.begin(Opcode.SEND_ONLY_WITH_IMM).immediate(9)))
                .isNotEqualTo(PacketRecord.of(packet.immediate(8)));
    }

    @Test
    void payloadIsComparedByContentAndKeptWhenTheBufferChanges() {
        byte[] bytes = {1, 2, 3};
        packet.begin(Opcode.SEND_ONLY).payload().add(ByteBuffer.wrap(bytes), 0, 3);
        PacketRecord before = PacketRecord.of(packet);
        PacketRecord same = PacketRecord.of(packet);
        bytes[0] = 9;
        assertThat(before).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(before).isNotEqualTo(PacketRecord.of(packet));
        assertThat(before.payload())
                .isEqualTo(Octets.of((byte) 1, (byte) 2, (byte) 3))
                .hasToString("010203");
    }

    @Test
    void octetsCannotBeChangedThroughWhatTheyGiveOrGot() {
        byte[] bytes = {1, 2};
        Octets octets = Octets.of(bytes);
        bytes[0] = 9;
        octets.toBytes()[1] = 9;
        assertThat(octets.toBytes()).containsExactly(1, 2);
        assertThat(octets.asByteBuffer().isReadOnly()).isTrue();
        assertThat(Octets.of()).isSameAs(Octets.EMPTY);
    }

    @Test
    void headersAreFoundByTheirType() {
        PacketRecord read = PacketRecord.of(
                packet.begin(Opcode.RDMA_READ_REQUEST).psn(3).remoteKey(7).dmaLengthBytes(100));
        assertThat(read.opcode()).isEqualTo(Opcode.RDMA_READ_REQUEST);
        assertThat(read.psn()).isEqualTo(3);
        assertThat(read.extension(ExtensionHeader.Reth.class)).isEqualTo(new ExtensionHeader.Reth(0, 7, 100));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read.extension(ExtensionHeader.Aeth.class))
                .withMessageContaining("RDMA_READ_REQUEST carries no Aeth but [RETH]");
    }

    @Test
    void headersOfAnotherOpcodeOrInAnotherOrderAreRefused() {
        Bth flush = PacketRecord.of(packet.begin(Opcode.FLUSH)).bth();
        ExtensionHeader feth = new ExtensionHeader.Feth(1, 0);
        ExtensionHeader reth = new ExtensionHeader.Reth(0, 0, 0);
        assertThat(new PacketRecord(flush, List.of(feth, reth), Octets.EMPTY).opcode())
                .isEqualTo(Opcode.FLUSH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PacketRecord(flush, List.of(reth, feth), Octets.EMPTY))
                .withMessageContaining("extensions=[RETH, FETH] but FLUSH carries [FETH, RETH]");
        assertThatIllegalArgumentException().isThrownBy(() -> new PacketRecord(flush, List.of(feth), Octets.EMPTY));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PacketRecord(flush, List.of(feth, reth), Octets.of((byte) 1)))
                .withMessageContaining("payload of lengthBytes=1 but FLUSH carries none");
    }

    @Test
    void headersRefuseReservedAndOverlongValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExtensionHeader.Aeth(0x40, 0))
                .withMessageContaining("syndrome=0x40 is reserved");
        assertThatIllegalArgumentException().isThrownBy(() -> new ExtensionHeader.Aeth(0, 0x1000000));
        assertThatIllegalArgumentException().isThrownBy(() -> new ExtensionHeader.Feth(4, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new ExtensionHeader.Feth(0, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> base(0x10000, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> base(0, 0x1000000, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> base(0, 0, 0x1000000));
        assertThatIllegalArgumentException().isThrownBy(() -> ExtensionHeader.of(Header.BTH, packet));
    }

    @Test
    void bytesThatAreNoPacketAreRefusedWithTheSentenceOfTheView() {
        byte[] bytes = new byte[11];
        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> PacketRecord.parse(bytes))
                .withMessage(new PacketView().wrap(ByteBuffer.wrap(bytes), 0, 11));
    }

    private static Bth base(int pkey, int destQp, int psn) {
        return new Bth(Opcode.SEND_ONLY, false, true, pkey, false, false, destQp, false, psn);
    }

    private static void assertLine(Packet packet, String line) {
        assertThat(PacketRecord.of(packet)).hasToString(line);
        assertThat(packet).hasToString(line);
    }
}
