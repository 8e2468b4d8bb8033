// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.testing.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OpcodeTest {
    /** Written from the rules, not from the enum: code, name, who sends it, position, headers in wire order, payload. */
    private static final List<String> TABLE = List.of(
            "00 SEND_FIRST req FIRST BTH@0 payload@12",
            "01 SEND_MIDDLE req MIDDLE BTH@0 payload@12",
            "02 SEND_LAST req LAST BTH@0 payload@12",
            "03 SEND_LAST_WITH_IMM req LAST BTH@0 IMM_DT@12 payload@16",
            "04 SEND_ONLY req ONLY BTH@0 payload@12",
            "05 SEND_ONLY_WITH_IMM req ONLY BTH@0 IMM_DT@12 payload@16",
            "06 RDMA_WRITE_FIRST req FIRST BTH@0 RETH@12 payload@28",
            "07 RDMA_WRITE_MIDDLE req MIDDLE BTH@0 payload@12",
            "08 RDMA_WRITE_LAST req LAST BTH@0 payload@12",
            "09 RDMA_WRITE_LAST_WITH_IMM req LAST BTH@0 IMM_DT@12 payload@16",
            "0a RDMA_WRITE_ONLY req ONLY BTH@0 RETH@12 payload@28",
            "0b RDMA_WRITE_ONLY_WITH_IMM req ONLY BTH@0 RETH@12 IMM_DT@28 payload@32",
            "0c RDMA_READ_REQUEST req ONLY BTH@0 RETH@12 end@28",
            "0d RDMA_READ_RESPONSE_FIRST resp FIRST BTH@0 AETH@12 payload@16",
            "0e RDMA_READ_RESPONSE_MIDDLE resp MIDDLE BTH@0 payload@12",
            "0f RDMA_READ_RESPONSE_LAST resp LAST BTH@0 AETH@12 payload@16",
            "10 RDMA_READ_RESPONSE_ONLY resp ONLY BTH@0 AETH@12 payload@16",
            "11 ACKNOWLEDGE resp ONLY BTH@0 AETH@12 end@16",
            "12 ATOMIC_ACKNOWLEDGE resp ONLY BTH@0 AETH@12 ATOMIC_ACK_ETH@16 end@24",
            "13 COMPARE_SWAP req ONLY BTH@0 ATOMIC_ETH@12 end@40",
            "14 FETCH_ADD req ONLY BTH@0 ATOMIC_ETH@12 end@40",
            "16 SEND_LAST_WITH_INVALIDATE req LAST BTH@0 IETH@12 payload@16",
            "17 SEND_ONLY_WITH_INVALIDATE req ONLY BTH@0 IETH@12 payload@16",
            "1c FLUSH req ONLY BTH@0 FETH@12 RETH@16 end@32",
            "1d ATOMIC_WRITE req ONLY BTH@0 RETH@12 payload@28",
            "20 UC_SEND_FIRST req FIRST BTH@0 payload@12",
            "21 UC_SEND_MIDDLE req MIDDLE BTH@0 payload@12",
            "22 UC_SEND_LAST req LAST BTH@0 payload@12",
            "23 UC_SEND_LAST_WITH_IMM req LAST BTH@0 IMM_DT@12 payload@16",
            "24 UC_SEND_ONLY req ONLY BTH@0 payload@12",
            "25 UC_SEND_ONLY_WITH_IMM req ONLY BTH@0 IMM_DT@12 payload@16",
            "26 UC_RDMA_WRITE_FIRST req FIRST BTH@0 RETH@12 payload@28",
            "27 UC_RDMA_WRITE_MIDDLE req MIDDLE BTH@0 payload@12",
            "28 UC_RDMA_WRITE_LAST req LAST BTH@0 payload@12",
            "29 UC_RDMA_WRITE_LAST_WITH_IMM req LAST BTH@0 IMM_DT@12 payload@16",
            "2a UC_RDMA_WRITE_ONLY req ONLY BTH@0 RETH@12 payload@28",
            "2b UC_RDMA_WRITE_ONLY_WITH_IMM req ONLY BTH@0 RETH@12 IMM_DT@28 payload@32",
            "64 UD_SEND_ONLY req ONLY BTH@0 DETH@12 payload@20",
            "65 UD_SEND_ONLY_WITH_IMM req ONLY BTH@0 DETH@12 IMM_DT@20 payload@24",
            "a0 XRC_SEND_FIRST req FIRST BTH@0 XRCETH@12 payload@16",
            "a1 XRC_SEND_MIDDLE req MIDDLE BTH@0 XRCETH@12 payload@16",
            "a2 XRC_SEND_LAST req LAST BTH@0 XRCETH@12 payload@16",
            "a3 XRC_SEND_LAST_WITH_IMM req LAST BTH@0 XRCETH@12 IMM_DT@16 payload@20",
            "a4 XRC_SEND_ONLY req ONLY BTH@0 XRCETH@12 payload@16",
            "a5 XRC_SEND_ONLY_WITH_IMM req ONLY BTH@0 XRCETH@12 IMM_DT@16 payload@20",
            "a6 XRC_RDMA_WRITE_FIRST req FIRST BTH@0 XRCETH@12 RETH@16 payload@32",
            "a7 XRC_RDMA_WRITE_MIDDLE req MIDDLE BTH@0 XRCETH@12 payload@16",
            "a8 XRC_RDMA_WRITE_LAST req LAST BTH@0 XRCETH@12 payload@16",
            "a9 XRC_RDMA_WRITE_LAST_WITH_IMM req LAST BTH@0 XRCETH@12 IMM_DT@16 payload@20",
            "aa XRC_RDMA_WRITE_ONLY req ONLY BTH@0 XRCETH@12 RETH@16 payload@32",
            "ab XRC_RDMA_WRITE_ONLY_WITH_IMM req ONLY BTH@0 XRCETH@12 RETH@16 IMM_DT@32 payload@36",
            "ac XRC_RDMA_READ_REQUEST req ONLY BTH@0 XRCETH@12 RETH@16 end@32",
            "ad XRC_RDMA_READ_RESPONSE_FIRST resp FIRST BTH@0 AETH@12 payload@16",
            "ae XRC_RDMA_READ_RESPONSE_MIDDLE resp MIDDLE BTH@0 payload@12",
            "af XRC_RDMA_READ_RESPONSE_LAST resp LAST BTH@0 AETH@12 payload@16",
            "b0 XRC_RDMA_READ_RESPONSE_ONLY resp ONLY BTH@0 AETH@12 payload@16",
            "b1 XRC_ACKNOWLEDGE resp ONLY BTH@0 AETH@12 end@16",
            "b2 XRC_ATOMIC_ACKNOWLEDGE resp ONLY BTH@0 AETH@12 ATOMIC_ACK_ETH@16 end@24",
            "b3 XRC_COMPARE_SWAP req ONLY BTH@0 XRCETH@12 ATOMIC_ETH@16 end@44",
            "b4 XRC_FETCH_ADD req ONLY BTH@0 XRCETH@12 ATOMIC_ETH@16 end@44",
            "b6 XRC_SEND_LAST_WITH_INVALIDATE req LAST BTH@0 XRCETH@12 IETH@16 payload@20",
            "b7 XRC_SEND_ONLY_WITH_INVALIDATE req ONLY BTH@0 XRCETH@12 IETH@16 payload@20",
            "bc XRC_FLUSH req ONLY BTH@0 XRCETH@12 FETH@16 RETH@20 end@36",
            "bd XRC_ATOMIC_WRITE req ONLY BTH@0 XRCETH@12 RETH@16 payload@32");

    @Test
    @Rule("HD-01")
    void all256CodesAreEitherARowOfTheRulesOrReserved() {
        List<String> rows = new ArrayList<>();
        for (int code = 0; code <= 0xff; code++) {
            Opcode opcode = Opcode.of(code);
            if (opcode != null) {
                assertThat(opcode.code()).isEqualTo(code);
                rows.add(row(opcode));
            }
        }
        assertThat(rows).containsExactlyElementsOf(TABLE);
        assertThat(Opcode.values()).hasSameSizeAs(TABLE);
    }

    @Test
    void numberThatIsNoByteIsNoOpcode() {
        assertThat(Opcode.of(-1)).isNull();
        assertThat(Opcode.of(0x100)).isNull();
    }

    @Test
    void positionSaysWhetherAMessageStartsOrEnds() {
        for (Opcode opcode : Opcode.values()) {
            Opcode.Position position = opcode.position();
            assertThat(opcode.startsMessage())
                    .as("%s", opcode)
                    .isEqualTo(position == Opcode.Position.FIRST || position == Opcode.Position.ONLY);
            assertThat(opcode.endsMessage())
                    .as("%s", opcode)
                    .isEqualTo(position == Opcode.Position.LAST || position == Opcode.Position.ONLY);
        }
    }

    @Test
    void kindIsThePartOfTheNameThatRowsOfOneOperationShare() {
        for (Opcode opcode : Opcode.values()) {
            String kind = switch (opcode.base()) {
                case RDMA_READ_REQUEST -> "RDMA_READ";
                case COMPARE_SWAP, FETCH_ADD -> "ATOMIC";
                default ->
                    opcode.base()
                            .name()
                            .replace("RDMA_READ_RESPONSE", "READ_RESPONSE")
                            .replaceAll("_(FIRST|MIDDLE|LAST|ONLY).*", "");
            };
            assertThat(opcode.kind().name()).isEqualTo(kind);
        }
    }

    @Test
    @Rule("HD-01")
    void everyRowIsTheOneOfItsTransportForItsBase() {
        for (Opcode opcode : Opcode.values()) {
            assertThat(opcode.base().transport()).isEqualTo(Transport.RC);
            assertThat(opcode.over(opcode.transport())).isEqualTo(opcode);
            assertThat(opcode.base().over(opcode.transport())).isEqualTo(opcode);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Opcode.RDMA_READ_REQUEST.over(Transport.UC))
                .withMessage("UC has no RDMA_READ_REQUEST");
    }

    @Test
    void askingWhereAnAbsentHeaderLiesIsRefusedByName() {
        assertThat(Opcode.SEND_ONLY.has(Header.RETH)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Opcode.SEND_ONLY.offsetOf(Header.RETH))
                .withMessageContaining("opcode=SEND_ONLY carries no RETH");
    }

    private static String row(Opcode opcode) {
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%02x %s", opcode.code(), opcode));
        assertThat(opcode.isResponse()).isNotEqualTo(opcode.isRequest());
        assertThat(opcode.hasImmediate()).isEqualTo(opcode.has(Header.IMM_DT));
        row.append(opcode.isRequest() ? " req " : " resp ").append(opcode.position());
        Stream.of(Header.values())
                .filter(opcode::has)
                .sorted((a, b) -> opcode.offsetOf(a) - opcode.offsetOf(b))
                .forEach(header -> row.append(' ').append(header).append('@').append(opcode.offsetOf(header)));
        row.append(opcode.carriesPayload() ? " payload@" : " end@");
        return row.append(opcode.headerLengthBytes()).toString();
    }
}
