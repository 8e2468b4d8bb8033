// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Transport;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What all rows of the table have in common. */
class OperationTest {

    @ParameterizedTest
    @EnumSource
    void eachOpcodeHasTheRowOfItsName(WrOpcode opcode) {
        assertThat(Operation.of(opcode).opcode).isEqualTo(opcode);
        assertThat(Operation.of(opcode)).hasToString(opcode.name());
    }

    @ParameterizedTest
    @EnumSource
    void eachRequestPacketIsOfARow(Opcode packet) {
        if (packet.isRequest()) {
            Operation row = Operation.of(packet);
            boolean isLast = packet.endsMessage();
            assertThat(row.packet(packet.transport(), packet.startsMessage(), isLast))
                    .isEqualTo(packet);
            assertThat(row.effect.answer).isNotNull();
            assertThat(row.effect.repeated).isNotNull();
        } else {
            assertThatThrownBy(() -> Operation.of(packet)).hasMessageContaining("is no request");
        }
    }

    /** What is done here has no packets and no answer; the rest has both, unless no device has it. */
    @ParameterizedTest
    @EnumSource
    void packetsAnswerAndQueuePairsGoTogether(Operation row) {
        boolean crosses = row.effect.answer != null;
        if (crosses) {
            assertThat(row.packet(Transport.RC, true, true).isRequest()).isTrue();
        } else {
            assertThatThrownBy(() -> row.packet(Transport.RC, true, true)).hasMessageContaining("has no such packet");
        }
        assertThat(row.types().isEmpty()).isEqualTo(row.effect == Effect.NOTHING);
        assertThat(row.atomic != null).isEqualTo(row.effect == Effect.ATOMIC);
        assertThat(row.effect.isLocal).isEqualTo(!crosses && row.effect != Effect.NOTHING);
    }

    @Test
    void aPacketOfSeveralIsOfTheFirst() {
        assertThat(Operation.of(Opcode.SEND_FIRST)).isEqualTo(Operation.SEND);
        assertThat(Operation.of(Opcode.XRC_SEND_LAST_WITH_INVALIDATE)).isEqualTo(Operation.SEND_WITH_INV);
        assertThat(Operation.of(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMM)).isEqualTo(Operation.RDMA_WRITE_WITH_IMM);
    }

    @Test
    void wordsAreOfOneRow() {
        assertThat(Arrays.stream(Operation.values()).map(row -> row.word).filter(Objects::nonNull))
                .doesNotHaveDuplicates();
    }

    /** Every completion of a send request is that of some row, but that of TSO, which no device has. */
    @Test
    void completionsAreThoseOfRows() {
        assertThat(Arrays.stream(WcOpcode.values())
                        .filter(each -> !each.isReceive() && each != WcOpcode.TSO)
                        .filter(each -> Arrays.stream(Operation.values()).noneMatch(row -> row.completion == each)))
                .isEmpty();
    }
}
