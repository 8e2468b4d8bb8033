// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds a request back: the fence (WR-20, ORD-19) and the number of READs and atomics (WR-33, ORD-20). */
class FenceAndDepthTest {

    private static final long TARGET = 0x1000;
    private static final int KEY = 7;

    private enum Operation {
        WRITE,
        SEND,
        READ,
        ATOMIC;

        SendWorkRequest on(Side side, long id) {
            return switch (this) {
                case WRITE -> SendWorkRequest.write(id, TARGET, KEY, side.sge(0, 8));
                case SEND -> SendWorkRequest.send(id, side.sge(0, 8));
                case READ -> SendWorkRequest.read(id, TARGET, KEY, side.sge(64, 8));
                case ATOMIC -> SendWorkRequest.fetchAndAdd(id, TARGET, KEY, 1, side.sge(128, 8));
            };
        }

        Packet answer(int psn) {
            return switch (this) {
                case READ -> Packets.readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn, new byte[8]);
                case ATOMIC -> Packets.atomicResponse(psn, 3);
                default -> Packets.ack(psn);
            };
        }
    }

    private static List<Integer> psns(Dialogue dialogue) {
        return dialogue.takeAll().stream().map(PacketRecord::psn).toList();
    }

    static Stream<List<Operation>> responseThenAny() {
        return Stream.of(Operation.READ, Operation.ATOMIC)
                .flatMap(first -> Stream.of(Operation.values()).map(second -> List.of(first, second)));
    }

    @ParameterizedTest
    @MethodSource("responseThenAny")
    @Rule({"WR-20", "ORD-19"})
    void fencedRequestWaitsForTheReadOrAtomicBeforeItWithAllBehindIt(List<Operation> pair) {
        try (Dialogue dialogue = Dialogue.begin()) {
            Side side = dialogue.side;
            dialogue.posts(
                    pair.get(0).on(side, 1),
                    pair.get(1).on(side, 2).plus(SendFlags.FENCE),
                    Operation.WRITE.on(side, 3));
            assertThat(psns(dialogue)).containsExactly(0);
            dialogue.sends(pair.get(0).answer(0));
            assertThat(side.sent()).isSuccess().hasId(1);
            assertThat(psns(dialogue)).containsExactly(1, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("responseThenAny")
    void requestWithoutFenceDoesNotWait(List<Operation> pair) {
        try (Dialogue dialogue = Dialogue.begin()) {
            dialogue.posts(pair.get(0).on(dialogue.side, 1), pair.get(1).on(dialogue.side, 2));
            assertThat(psns(dialogue)).containsExactly(0, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void fenceDoesNotWaitForTheAcknowledgementOfWritesAndSends(Operation fenced) {
        try (Dialogue dialogue = Dialogue.begin()) {
            Side side = dialogue.side;
            dialogue.posts(
                    Operation.WRITE.on(side, 1),
                    Operation.SEND.on(side, 2),
                    fenced.on(side, 3).plus(SendFlags.FENCE));
            assertThat(psns(dialogue)).containsExactly(0, 1, 2);
        }
    }

    @Test
    @Rule({"WR-20", "ORD-19"})
    void fenceWaitsForAllReadsAndAtomicsBeforeItAndNotOnlyTheLast() {
        try (Dialogue dialogue = Dialogue.begin()) {
            Side side = dialogue.side;
            dialogue.posts(
                    Operation.READ.on(side, 1),
                    Operation.ATOMIC.on(side, 2),
                    Operation.READ.on(side, 3),
                    Operation.SEND.on(side, 4).plus(SendFlags.FENCE));
            assertThat(psns(dialogue)).containsExactly(0, 1, 2);
            dialogue.sends(Operation.READ.answer(0), Operation.ATOMIC.answer(1)).expectsNothing();
            dialogue.sends(Operation.READ.answer(2));
            assertThat(psns(dialogue)).containsExactly(3);
            for (int id = 1; id <= 3; id++) {
                assertThat(side.sent()).isSuccess().hasId(id);
            }
        }
    }

    @Test
    @Rule({"WR-33", "ORD-20"})
    void readsAndAtomicsBeyondTheDepthWaitWithAllBehindThem() {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL.withDepth(2))) {
            Side side = dialogue.side;
            dialogue.posts(
                    Operation.READ.on(side, 1),
                    Operation.WRITE.on(side, 2),
                    Operation.ATOMIC.on(side, 3),
                    Operation.READ.on(side, 4),
                    Operation.WRITE.on(side, 5),
                    Operation.ATOMIC.on(side, 6),
                    Operation.WRITE.on(side, 7));
            assertThat(psns(dialogue)).containsExactly(0, 1, 2);

            dialogue.sends(Operation.READ.answer(0));
            assertThat(psns(dialogue)).containsExactly(3, 4);
            dialogue.sends(Operation.ATOMIC.answer(2));
            assertThat(psns(dialogue)).containsExactly(5, 6);
            for (int id = 1; id <= 3; id++) {
                assertThat(side.sent()).isSuccess().hasId(id);
            }
            dialogue.completesNothing();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "ATOMIC"})
    @Rule("WR-33")
    void withDepthZeroAReadOrAtomicFailsWhenItsTurnComes(Operation operation) {
        try (Dialogue dialogue = Dialogue.unconnected(DeviceProfile.STRICT_IBTA)) {
            dialogue.connect(Dialogue.USUAL.withDepth(0), 0, 0);
            Side side = dialogue.side;
            dialogue.posts(
                    Operation.WRITE.on(side, 1), operation.on(side, 2).unsignaled(), Operation.WRITE.on(side, 3));
            assertThat(psns(dialogue)).containsExactly(0);
            dialogue.completesNothing().sends(Packets.ack(0));
            assertThat(side.sent()).isSuccess().hasId(1);
            assertThat(side.sent()).hasId(2).hasStatus(WcStatus.LOC_QP_OP_ERR).isExplainedBy("WR-33", "max_rd_atomic");
            assertThat(side.sent()).hasId(3).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertState(side.qp, QpState.ERR);
            dialogue.expectsNothing();
        }
    }

    private static Packet request(Operation operation, Side side, int psn) {
        return operation == Operation.READ
                ? Packets.readRequest(psn, side.address(0), side.rkey(), 8)
                : Packets.fetchAdd(psn, side.address(0), side.rkey(), 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "ATOMIC"})
    @Rule({"WR-33", "WC-27"})
    void moreReadsAndAtomicsThanTheResponderHasResourcesForAreInvalid(Operation operation) {
        RcConnection two = Dialogue.USUAL.withDepth(2);
        try (Dialogue dialogue = Dialogue.begin(two)) {
            Side side = dialogue.side;
            side.bytes().putLong(0, 40);
            dialogue.sends(
                    request(operation, side, 0), request(Operation.ATOMIC, side, 1), request(operation, side, 2));
            assertState(side.qp, QpState.ERR);
            assertEvent(dialogue.event(), EventType.QP_ACCESS_ERR, side.qp);
            List<PacketRecord> said = dialogue.takeAll();
            assertThat(said).extracting(PacketRecord::psn).containsExactly(0, 1, 2);
            assertThat(said.get(2).toPacket().syndrome()).isEqualTo(Syndrome.NAK_INVALID_REQUEST);
            assertThat(side.bytes().getLong(0)).isEqualTo(operation == Operation.READ ? 41 : 42);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "ATOMIC"})
    @Rule({"WR-33", "WC-27"})
    void responderWithoutResourcesRefusesEveryReadAndAtomic(Operation operation) {
        try (Dialogue dialogue = Dialogue.begin(Dialogue.USUAL.withDepth(0))) {
            Side side = dialogue.side;
            side.bytes().putLong(0, 40);
            dialogue.sends(request(operation, side, 0)).expects(Packets.nak(0, Syndrome.NAK_INVALID_REQUEST));
            assertEvent(dialogue.event(), EventType.QP_ACCESS_ERR, side.qp);
            assertState(side.qp, QpState.ERR);
            assertThat(side.bytes().getLong(0)).isEqualTo(40);
        }
    }
}
