// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.rnr;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a requester makes of answers. */
class AcknowledgementTest {

    private static final long ADDRESS = 0x7000_0000_1000L;
    private static final int RKEY = 0x1201;

    @Test
    @Rule({"ACK-02", "ORD-10"})
    void oneAcknowledgementCompletesAllRequestsUpToItsPsnInPostOrder() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1), send(it, 2).unsignaled(), send(it, 3), send(it, 4))
                    .takeAll();
            it.sends(ack(2));
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).isSuccess().hasId(3);
            it.completesNothing().sends(ack(3));
            assertThat(it.sent()).isSuccess().hasId(4);
        }
    }

    @Test
    @Rule("ORD-15")
    void requestOfManyPacketsCompletesOnlyWhenAllAreAcknowledged() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 3 * MTU))).takeAll();
            it.sends(ack(0), ack(1)).completesNothing().sends(ack(2));
            assertThat(it.sent()).isSuccess().hasId(1);
        }
    }

    @Test
    @Rule("ACK-02")
    void readAndAtomicAreCompletedByTheirResponsesOnly() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(read(it, 1, 8), add(it, 2), send(it, 3));
            it.expects(readRequest(0, ADDRESS, RKEY, 8), fetchAdd(1, ADDRESS, RKEY, 1), sendOnly(2));
            it.sends(only(0, pattern(0, 8)));
            assertThat(it.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.RDMA_READ);
            it.completesNothing().sends(atomicResponse(1, 5));
            assertThat(it.sent()).isSuccess().hasId(2).hasOpcode(WcOpcode.FETCH_ADD);
            it.completesNothing().sends(ack(2));
            assertThat(it.sent()).isSuccess().hasId(3);
        }
    }

    @Test
    @Rule("ACK-02")
    void acknowledgementBehindAnUnansweredReadIsAnImpliedNakOfIt() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1), read(it, 2, 8), send(it, 3)).takeAll();
            it.sends(ack(2));
            assertThat(it.sent()).isSuccess().hasId(1);
            it.completesNothing();
            it.expects(readRequest(1, ADDRESS, RKEY, 8), sendOnly(2)).expectsNothing();
            it.sends(only(1, pattern(0, 8)), ack(2));
            assertThat(it.sent()).isSuccess().hasId(2);
            assertThat(it.sent()).isSuccess().hasId(3);
        }
    }

    @Test
    @Rule("ACK-02")
    void responseBehindALostOneIsAnImpliedNakAndManyOfThemCountAsOne() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 1, 7, 12))) {
            it.posts(read(it, 1, 4 * MTU), read(it, 2, 8), add(it, 3)).takeAll();
            it.sends(first(0), middle(2), last(3, 3 * MTU, MTU), only(4, pattern(0, 8)), atomicResponse(5, 1));
            it.completesNothing();
            it.expects(
                    readRequest(1, ADDRESS + MTU, RKEY, 3 * MTU),
                    readRequest(4, ADDRESS, RKEY, 8),
                    fetchAdd(5, ADDRESS, RKEY, 1));
            it.expectsNothing();
            assertState(it.side.qp, QpState.RTS);
        }
    }

    @Test
    @Rule({"ACK-02", "WC-36", "RT-02"})
    void impliedNakBeyondRetryCountIsRetryExceeded() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 0, 7, 12))) {
            it.posts(read(it, 1, 8), send(it, 2)).takeAll();
            it.sends(ack(1));
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(1).isExplainedBy("WC-36", "psn=0");
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"0x61, REM_INV_REQ_ERR", "0x62, REM_ACCESS_ERR", "0x63, REM_OP_ERR", "0x64, REM_INV_RD_REQ_ERR"})
    @Rule({"WC-45", "WC-46", "T-07", "ACK-03"})
    void nakFailsTheRequestOfItsPsnAfterAllBeforeItSucceeded(String syndrome, WcStatus status) {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1), send(it, 2), send(it, 3)).takeAll();
            it.sends(nak(1, Integer.decode(syndrome)));
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).hasStatus(status).hasId(2).isExplainedBy("WC-45", "psn=1");
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
            assertState(it.side.qp, QpState.ERR);
        }
    }

    @Test
    @Rule({"WC-46", "ACK-02"})
    void nakBehindAnUnansweredReadLetsTheReadBeRetriedFirst() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(read(it, 1, 8), send(it, 2)).takeAll();
            it.sends(nak(1, Syndrome.NAK_REMOTE_ACCESS)).completesNothing();
            it.expects(readRequest(0, ADDRESS, RKEY, 8), sendOnly(1)).expectsNothing();
        }
    }

    @Test
    @Rule("WC-46")
    void nakInTheMiddleOfAReadFailsItEvenIfResponsesBeforeItWereLost() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 0, 7, 12))) {
            it.posts(read(it, 1, 4 * MTU)).takeAll();
            it.sends(first(0), nak(2, Syndrome.NAK_REMOTE_ACCESS));
            assertThat(it.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(1);
            it.remembers(0, pattern(0, MTU)).isUntouched(MTU, 4 * MTU);
        }
    }

    @Test
    @Rule("ACK-07")
    void answersOutsideTheWindowAreDropped() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(ack(0), nak(0, Syndrome.NAK_REMOTE_ACCESS), nak(0, 0x60), rnr(0, 1));
            it.posts(send(it, 1), send(it, 2)).takeAll();
            it.sends(ack(0));
            assertThat(it.sent()).isSuccess().hasId(1);
            for (int psn : new int[] {0, 2, 3, 0x800000, 0xffffff}) {
                it.sends(ack(psn), rnr(psn, 1), atomicResponse(psn, 1), only(psn, pattern(9, 8)));
                for (int syndrome = 0x60; syndrome <= 0x64; syndrome++) {
                    it.sends(nak(psn, syndrome));
                }
            }
            it.expectsNothing().completesNothing();
            it.posts(send(it, 3)).expects(sendOnly(2));
            it.sends(ack(2));
            assertThat(it.sent()).isSuccess().hasId(2);
            assertThat(it.sent()).isSuccess().hasId(3);
        }
    }

    @Test
    @Rule("ACK-07")
    void readResponseThatComesTwiceIsTakenOnce() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(read(it, 1, 2 * MTU)).takeAll();
            it.sends(first(0), first(0));
            it.side.bytes().put(0, pattern(3000, MTU));
            it.sends(first(0)).remembers(0, pattern(3000, MTU));
            it.sends(last(1, MTU, MTU));
            assertThat(it.sent()).isSuccess().hasId(1);
        }
    }

    @Test
    @Rule("ACK-06")
    void creditsOfAnAcknowledgementDoNotLimitTheRequester() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1)).expects(sendOnly(0)).sends(nak(0, 0x00));
            assertThat(it.sent()).isSuccess();
            it.posts(send(it, 2), send(it, 3)).expects(sendOnly(1), sendOnly(2)).sends(nak(2, 0x1e));
            assertThat(it.sent()).isSuccess().hasId(2);
            assertThat(it.sent()).isSuccess().hasId(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Malformed.class)
    @Rule("WC-38")
    void answerThatDoesNotFitItsRequestIsABadResponse(Malformed malformed) {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1), malformed.request.apply(it), send(it, 3)).takeAll();
            it.sends(ack(0));
            assertThat(it.sent()).isSuccess().hasId(1);
            List<Packet> good = new ArrayList<>(malformed.answers);
            Packet bad = good.remove(good.size() - 1);
            it.sends(good.toArray(Packet[]::new)).completesNothing();
            it.sends(bad);
            assertThat(it.sent()).hasStatus(WcStatus.BAD_RESP_ERR).hasId(2).isExplainedBy("WC-38");
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        }
    }

    /** A request with PSN 1 and answers of which the last is wrong. */
    private enum Malformed {
        READ_RESPONSE_TO_A_SEND(it -> send(it, 2), only(1, pattern(0, 8))),
        ATOMIC_RESPONSE_TO_A_SEND(it -> send(it, 2), atomicResponse(1, 0)),
        ATOMIC_RESPONSE_TO_A_READ(it -> read(it, 2, 8), atomicResponse(1, 0)),
        READ_RESPONSE_TO_AN_ATOMIC(it -> add(it, 2), only(1, pattern(0, 8))),
        TOO_SHORT(it -> read(it, 2, 8), only(1, pattern(0, 7))),
        TOO_LONG(it -> read(it, 2, 8), only(1, pattern(0, 9))),
        LONGER_THAN_NOTHING(it -> read(it, 2, 0), only(1, pattern(0, 1))),
        FIRST_BELOW_MTU(
                it -> read(it, 2, 2 * MTU), readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 1, pattern(0, MTU - 4))),
        MIDDLE_BELOW_MTU(
                it -> read(it, 2, 3 * MTU),
                first(1),
                readResponse(Opcode.RDMA_READ_RESPONSE_MIDDLE, 2, pattern(0, MTU - 4))),
        LAST_ABOVE_REST(it -> read(it, 2, MTU + 8), first(1), last(2, 0, 12)),
        FIRST_WHERE_ONLY(it -> read(it, 2, MTU), first(1)),
        ONLY_WHERE_FIRST(it -> read(it, 2, 2 * MTU), only(1, pattern(0, MTU))),
        MIDDLE_WHERE_FIRST(it -> read(it, 2, 2 * MTU), middle(1)),
        LAST_WHERE_FIRST(it -> read(it, 2, 2 * MTU), last(1, 0, MTU)),
        LAST_WHERE_ONLY(it -> read(it, 2, 8), last(1, 0, 8)),
        LAST_WHERE_MIDDLE(it -> read(it, 2, 3 * MTU), first(1), last(2, 0, MTU)),
        MIDDLE_WHERE_LAST(it -> read(it, 2, 2 * MTU), first(1), middle(2)),
        FIRST_WHERE_LAST(it -> read(it, 2, 2 * MTU), first(1), first(2)),
        READ_RESPONSE_WITH_A_NAK(it -> read(it, 2, 8), only(1, pattern(0, 8)).syndrome(0x62)),
        ATOMIC_RESPONSE_WITH_A_NAK(it -> add(it, 2), atomicResponse(1, 0).syndrome(0x62));

        private final Function<Dialogue, SendWorkRequest> request;
        private final List<Packet> answers;

        Malformed(Function<Dialogue, SendWorkRequest> request, Packet... answers) {
            this.request = request;
            this.answers = List.of(answers);
        }
    }

    private static SendWorkRequest send(Dialogue it, long id) {
        return SendWorkRequest.send(id, it.side.sge(0, 4));
    }

    private static SendWorkRequest read(Dialogue it, long id, int lengthBytes) {
        return SendWorkRequest.read(id, ADDRESS, RKEY, it.side.sge(0, lengthBytes));
    }

    private static SendWorkRequest add(Dialogue it, long id) {
        return SendWorkRequest.fetchAndAdd(id, ADDRESS, RKEY, 1, it.side.sge(4096, 8));
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(0, 4)).ackRequest(true);
    }

    private static Packet first(int psn) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, psn, pattern(0, MTU));
    }

    private static Packet middle(int psn) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_MIDDLE, psn, pattern(0, MTU));
    }

    private static Packet last(int psn, int from, int lengthBytes) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_LAST, psn, pattern(from, lengthBytes));
    }

    private static Packet only(int psn, byte[] payload) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn, payload);
    }
}
