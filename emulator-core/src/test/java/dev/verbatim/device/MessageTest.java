// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.PacketRecord;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SEND, WRITE and READ, from one end to the other: E.4 without the atomics. */
class MessageTest {

    private static final int MTU = 1024;
    private static final byte UNTOUCHED = 0x5a;

    @AutoClose
    private final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);

    private final Side left = pair.left;
    private final Side right = pair.right;

    @BeforeEach
    void connect() {
        pair.connect(RcConnection.USUAL.withRetries(14, 7, 7, 1));
        left.bytes().put(0, Packets.pattern(0, Side.REGION_BYTES));
        right.bytes().put(0, new byte[Side.REGION_BYTES]);
        for (int i = 0; i < Side.REGION_BYTES; i++) {
            right.bytes().put(i, UNTOUCHED);
        }
    }

    private static byte[] bytes(Side side, int at, int count) {
        byte[] bytes = new byte[count];
        side.bytes().get(at, bytes);
        return bytes;
    }

    private void assertUntouched(int at, int count) {
        for (byte b : bytes(right, at, count)) {
            assertThat(b).isEqualTo(UNTOUCHED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1023, 1024, 1025, 4096, 10_000})
    @Rule("WR-30")
    void sendFillsTheElementsInOrderAndLeavesTheRestAlone(int count) {
        right.qp.postRecv(List.of(
                ReceiveWorkRequest.of(
                        11, right.sge(20_000, 50), right.sge(0, 0), right.sge(10_000, 1000), right.sge(40_000, 20_000)),
                ReceiveWorkRequest.of(12)));
        left.qp.postSend(SendWorkRequest.send(1, left.sge(0, count / 2), left.sge(30_000, count - count / 2)));
        assertThat(left.sent()).isSuccess().hasOpcode(WcOpcode.SEND);
        assertThat(right.received())
                .isSuccess()
                .hasId(11)
                .hasOpcode(WcOpcode.RECV)
                .hasByteLength(count)
                .hasFlags(0);
        assertThat(right.recvCq.poll(9)).isEmpty();

        byte[] sent = new byte[count];
        left.bytes().get(0, sent, 0, count / 2).get(30_000, sent, count / 2, count - count / 2);
        byte[] got = new byte[21_050];
        right.bytes().get(20_000, got, 0, 50).get(10_000, got, 50, 1000).get(40_000, got, 1050, 20_000);
        assertThat(got).startsWith(sent);
        for (int i = count; i < got.length; i++) {
            assertThat(got[i]).isEqualTo(UNTOUCHED);
        }
        assertUntouched(0, 10_000);
        assertUntouched(11_000, 9000);
    }

    @Test
    @Rule({"WR-30", "WR-42"})
    void emptySendTakesAReceiveAndTouchesNothing() {
        right.qp.postRecv(List.of(
                ReceiveWorkRequest.of(11, right.sge(0, 64)),
                ReceiveWorkRequest.of(12),
                // Keys are looked at where a byte is written.
                ReceiveWorkRequest.of(13, new Sge(0, 64, 0xbad))));
        left.qp.postSend(List.of(
                SendWorkRequest.send(1),
                SendWorkRequest.send(2, left.sge(0, 0), new Sge(0, 0, 0xbad)),
                SendWorkRequest.sendWithImmediate(3, 77)));
        for (int id = 1; id <= 3; id++) {
            assertThat(left.sent()).isSuccess().hasId(id);
            assertThat(right.received()).isSuccess().hasId(10 + id).hasByteLength(0);
        }
        assertUntouched(0, 64);
    }

    @Test
    @Rule("WR-23")
    void immediateDataArrivesAsItWasPosted() {
        for (int immediate : new int[] {0, 1, 0x01020304, -1, Integer.MIN_VALUE}) {
            right.qp.postRecv(List.of(ReceiveWorkRequest.of(11, right.sge(0, 8)), ReceiveWorkRequest.of(12)));
            left.qp.postSend(List.of(
                    SendWorkRequest.sendWithImmediate(1, immediate, left.sge(0, 8)),
                    SendWorkRequest.writeWithImmediate(2, right.address(0), right.rkey(), immediate, left.sge(0, 8))));
            for (WcOpcode opcode : List.of(WcOpcode.RECV, WcOpcode.RECV_RDMA_WITH_IMM)) {
                var received = right.received();
                assertThat(received).isSuccess().hasOpcode(opcode).hasFlags(WcFlags.WITH_IMM);
                assertThat(received.immediate()).isEqualTo(immediate);
                assertThat(left.sent()).isSuccess();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 5000})
    @Rule("WR-31")
    void writeTakesNoReceiveAndTellsTheResponderNothing(int count) {
        right.qp.postRecv(ReceiveWorkRequest.of(11, right.sge(30_000, 64)));
        left.qp.postSend(SendWorkRequest.write(1, right.address(5), right.rkey(), left.sge(0, count)));
        assertThat(left.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_WRITE);
        assertThat(bytes(right, 5, count)).isEqualTo(bytes(left, 0, count));
        assertUntouched(0, 5);
        assertUntouched(5 + count, 64);
        left.qp.postSend(SendWorkRequest.send(2, left.sge(0, 8)));
        assertThat(right.received()).isSuccess().hasId(11).hasOpcode(WcOpcode.RECV);
        assertThat(right.recvCq.poll(9)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 1025, 5000})
    @Rule("WR-31")
    void writeWithImmediateTakesAReceiveAndLeavesItsElementsAlone(int count) {
        right.qp.postRecv(List.of(
                ReceiveWorkRequest.of(11, right.sge(30_000, 64)),
                ReceiveWorkRequest.of(12),
                ReceiveWorkRequest.of(13, new Sge(1, 64, 0xbad))));
        for (int id = 1; id <= 3; id++) {
            left.qp.postSend(SendWorkRequest.writeWithImmediate(
                    id, right.address(0), right.rkey(), 0x40 + id, left.sge(0, count)));
            assertThat(left.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_WRITE);
            assertThat(right.received())
                    .isSuccess()
                    .hasId(10 + id)
                    .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                    .hasByteLength(count)
                    .hasFlags(WcFlags.WITH_IMM);
        }
        assertThat(bytes(right, 0, count)).isEqualTo(bytes(left, 0, count));
        assertUntouched(30_000, 64);
    }

    @Test
    @Rule("WR-31")
    void writeWithImmediateWithoutAReceiveIsAskedForAgainAtItsLastPacket() {
        left.qp.postSend(
                SendWorkRequest.writeWithImmediate(1, right.address(0), right.rkey(), 9, left.sge(0, 2 * MTU + 1)));
        assertThat(right.sendCq.poll(9)).isEmpty();
        assertThat(bytes(right, 0, 2 * MTU)).as("the earlier parts are there").isEqualTo(bytes(left, 0, 2 * MTU));
        right.qp.postRecv(ReceiveWorkRequest.of(11));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(right.received()).isSuccess().hasId(11).hasByteLength(2 * MTU + 1);
        assertThat(bytes(right, 2 * MTU, 1)).isEqualTo(bytes(left, 2 * MTU, 1));
        assertUntouched(2 * MTU + 1, 64);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1023, 1024, 1025, 10_000})
    @Rule("WR-32")
    void readFillsTheElementsInOrder(int count) {
        right.bytes().put(0, Packets.pattern(77, Side.REGION_BYTES));
        left.qp.postSend(SendWorkRequest.read(
                1,
                right.address(3),
                right.rkey(),
                left.sge(60_000, count / 3),
                left.sge(0, 0),
                left.sge(20_000, count - count / 3)));
        assertThat(left.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_READ).hasByteLength(count);
        byte[] got = new byte[count];
        left.bytes().get(60_000, got, 0, count / 3).get(20_000, got, count / 3, count - count / 3);
        assertThat(got).isEqualTo(bytes(right, 3, count));
        assertThat(bytes(left, 20_000 + count - count / 3, 64))
                .isEqualTo(Packets.pattern(20_000 + count - count / 3, 64));
    }

    @Test
    @Rule("WR-32")
    void emptyReadTakesOnePsnAndTouchesNothing() {
        pair.tap.clear();
        left.qp.postSend(List.of(
                SendWorkRequest.read(1, right.address(0), right.rkey()),
                SendWorkRequest.read(2, 0, 0xbad, left.sge(0, 0)),
                SendWorkRequest.write(3, right.address(0), right.rkey(), left.sge(0, 8))));
        assertThat(left.sent()).isSuccess().hasId(1).hasByteLength(0);
        assertThat(left.sent()).isSuccess().hasId(2).hasByteLength(0);
        assertThat(left.sent()).isSuccess().hasId(3);
        int first = left.qp.number();
        assertThat(pair.tap.sentBy("left"))
                .extracting(sent -> sent.packet().psn())
                .containsExactly(first, first + 1, first + 2);
        assertThat(bytes(left, 0, 64)).isEqualTo(Packets.pattern(0, 64));
    }

    @Test
    @Rule("WR-32")
    void readIntoMemoryWithoutLocalWriteFailsLocally() {
        MemoryRegion readOnly = left.pd.register(left.region.memory(), AccessFlags.REMOTE_READ);
        left.qp.postSend(SendWorkRequest.read(1, right.address(0), right.rkey(), readOnly.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.LOC_PROT_ERR);
        assertState(right.qp, QpState.RTS);
        assertThat(bytes(left, 0, 8)).isEqualTo(Packets.pattern(0, 8));
    }

    @Test
    @Rule("WR-21")
    void solicitedMarksTheLastPacketOfMessagesThatAReceiveCompletes() {
        right.qp.postRecv(List.of(
                ReceiveWorkRequest.of(11, right.sge(0, 4000)),
                ReceiveWorkRequest.of(12),
                ReceiveWorkRequest.of(13, right.sge(0, 8))));
        pair.tap.clear();
        left.qp.postSend(List.of(
                SendWorkRequest.send(1, left.sge(0, 2 * MTU + 1)).plus(SendFlags.SOLICITED),
                SendWorkRequest.writeWithImmediate(2, right.address(0), right.rkey(), 5, left.sge(0, MTU + 1))
                        .plus(SendFlags.SOLICITED),
                SendWorkRequest.write(3, right.address(0), right.rkey(), left.sge(0, 8))
                        .plus(SendFlags.SOLICITED),
                SendWorkRequest.read(4, right.address(0), right.rkey(), left.sge(0, 8))
                        .plus(SendFlags.SOLICITED),
                SendWorkRequest.send(5, left.sge(0, 8))));
        for (int id = 1; id <= 5; id++) {
            assertThat(left.sent()).isSuccess().hasId(id);
        }
        assertThat(pair.tap.sentBy("left"))
                .extracting(sent -> sent.packet().bth().solicited())
                .containsExactly(false, false, true, false, true, false, false, false);
    }

    @Test
    @Rule("WR-43")
    void overlappingReceiveElementsDoNoHarmOutsideThem() {
        right.qp.postRecv(ReceiveWorkRequest.of(11, right.sge(100, 64), right.sge(132, 64), right.sge(100, 200)));
        left.qp.postSend(SendWorkRequest.send(1, left.sge(0, 300)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess().hasByteLength(300);
        assertUntouched(0, 100);
        assertUntouched(300, 100);
        assertState(right.qp, QpState.RTS);
    }

    @Test
    @Rule("WR-44")
    void requestsOfOneBatchSeeWhatEarlierOnesBrought() {
        left.bytes().putLong(0, 0x1111);
        right.bytes().putLong(800, 0x2222);
        left.qp.postSend(List.of(
                SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 8)),
                SendWorkRequest.read(2, right.address(0), right.rkey(), left.sge(8, 8)),
                SendWorkRequest.write(3, right.address(8), right.rkey(), left.sge(8, 8))
                        .plus(SendFlags.FENCE),
                SendWorkRequest.fetchAndAdd(4, right.address(8), right.rkey(), 1, left.sge(16, 8)),
                SendWorkRequest.read(5, right.address(8), right.rkey(), left.sge(24, 8)),
                SendWorkRequest.read(6, right.address(800), right.rkey(), left.sge(24, 8)),
                SendWorkRequest.write(7, right.address(16), right.rkey(), left.sge(16, 16))
                        .plus(SendFlags.FENCE)));
        for (int id = 1; id <= 7; id++) {
            assertThat(left.sent()).isSuccess().hasId(id);
        }
        assertThat(right.bytes().getLong(8)).isEqualTo(0x1112);
        assertThat(right.bytes().getLong(16)).isEqualTo(0x1111);
        assertThat(right.bytes().getLong(24)).isEqualTo(0x2222);
    }

    @Test
    @Rule("WR-30")
    void everyPacketOfAMessageHasAFullPayloadButTheLast() {
        right.qp.postRecv(ReceiveWorkRequest.of(11, right.sge(0, 4000)));
        pair.tap.clear();
        left.qp.postSend(SendWorkRequest.send(1, left.sge(0, 2 * MTU + 1)));
        assertThat(right.received()).isSuccess();
        assertThat(pair.tap.sentBy("left"))
                .extracting(sent -> sent.packet())
                .extracting(PacketRecord::payload)
                .extracting(payload -> payload.lengthBytes())
                .containsExactly(MTU, MTU, 1);
    }
}
