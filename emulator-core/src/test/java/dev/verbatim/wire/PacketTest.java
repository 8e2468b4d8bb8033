// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PacketTest {
    private final Packet packet = new Packet();

    @Test
    void freshAndBegunPacketsAreTheSame() {
        fill(packet).payload().add(ByteBuffer.allocate(4), 0, 4);
        packet.begin(Opcode.SEND_ONLY);
        assertThat(packet).usingRecursiveComparison().ignoringFields("payload").isEqualTo(new Packet());
        assertThat(packet.payload().pieces()).isZero();
    }

    @Test
    void begunPacketHasTheUsualPartitionAndMigrationState() {
        packet.begin(Opcode.ACKNOWLEDGE);
        assertThat(packet.opcode()).isEqualTo(Opcode.ACKNOWLEDGE);
        assertThat(packet.pkey()).isEqualTo(0xffff);
        assertThat(packet.migRequest()).isTrue();
    }

    @Test
    void copyTakesAllHeadersAndLeavesThePayload() {
        Packet other = fill(new Packet().begin(Opcode.COMPARE_SWAP));
        packet.payload().add(ByteBuffer.allocate(4), 0, 3);
        packet.copyHeadersFrom(other);
        assertThat(packet).usingRecursiveComparison().ignoringFields("payload").isEqualTo(other);
        assertThat(packet.payload().lengthBytes()).isEqualTo(3);
        assertThat(other.payload().lengthBytes()).isZero();
    }

    @Test
    void settersKeepWhatTheyAreGiven() {
        fill(packet);
        assertThat(packet.solicited()).isTrue();
        assertThat(packet.migRequest()).isFalse();
        assertThat(packet.pkey()).isEqualTo(1);
        assertThat(packet.fecn()).isTrue();
        assertThat(packet.becn()).isTrue();
        assertThat(packet.destQp()).isEqualTo(2);
        assertThat(packet.ackRequest()).isTrue();
        assertThat(packet.psn()).isEqualTo(3);
        assertThat(packet.remoteAddress()).isEqualTo(-4);
        assertThat(packet.remoteKey()).isEqualTo(-5);
        assertThat(packet.dmaLengthBytes()).isEqualTo(-6);
        assertThat(packet.swapOrAdd()).isEqualTo(-7);
        assertThat(packet.compare()).isEqualTo(-8);
        assertThat(packet.syndrome()).isEqualTo(9);
        assertThat(packet.messageSequence()).isEqualTo(10);
        assertThat(packet.originalData()).isEqualTo(-11);
        assertThat(packet.immediate()).isEqualTo(-12);
        assertThat(packet.invalidateKey()).isEqualTo(-13);
        assertThat(packet.flushType()).isEqualTo(3);
        assertThat(packet.flushLevel()).isEqualTo(1);
    }

    @Test
    void valueWiderThanItsFieldIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> packet.psn(0x1000000))
                .withMessageContaining("psn=0x1000000 is not in 0..0xffffff");
        assertThatIllegalArgumentException().isThrownBy(() -> packet.psn(-1)).withMessageContaining("psn=0xffffffff");
        assertThatIllegalArgumentException().isThrownBy(() -> packet.destQp(0x1000000));
        assertThatIllegalArgumentException().isThrownBy(() -> packet.pkey(0x10000));
        assertThatIllegalArgumentException().isThrownBy(() -> packet.syndrome(0x100));
        assertThatIllegalArgumentException().isThrownBy(() -> packet.flushType(0x10));
        assertThatIllegalArgumentException().isThrownBy(() -> packet.flushLevel(4));
        assertThat(packet).usingRecursiveComparison().isEqualTo(new Packet());
    }

    @Test
    void messageSequenceCountsOnAcrossItsWrap() {
        assertThat(packet.messageSequence(0xffffff + 1).messageSequence()).isZero();
        assertThat(packet.messageSequence(0xffffff).messageSequence()).isEqualTo(0xffffff);
    }

    private static Packet fill(Packet packet) {
        return packet.solicited(true)
                .migRequest(false)
                .pkey(1)
                .fecn(true)
                .becn(true)
                .destQp(2)
                .ackRequest(true)
                .psn(3)
                .remoteAddress(-4)
                .remoteKey(-5)
                .dmaLengthBytes(-6)
                .swapOrAdd(-7)
                .compare(-8)
                .syndrome(9)
                .messageSequence(10)
                .originalData(-11)
                .immediate(-12)
                .invalidateKey(-13)
                .flushType(3)
                .flushLevel(1);
    }
}
