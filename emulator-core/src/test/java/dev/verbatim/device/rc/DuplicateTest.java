// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.compareSwap;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.write;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.Test;

/** What a responder does with requests that it has seen before. */
class DuplicateTest {

    @Test
    @Rule({"DUP-01", "H3-2"})
    void repeatedSendIsAcknowledgedWithTheLatestPsnAndTakesNoReceive() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, 8)).postsReceive(2, it.side.sge(64, 8));
            it.sends(sendOnly(0), writeOnly(it, 1, 128)).expects(ack(1)).expectsNothing();
            it.sends(sendOnly(0)).expects(ack(1)).expectsNothing();
            assertThat(it.received()).isSuccess().hasId(1);
            it.completesNothing().isUntouched(64, 72);
            it.sends(sendOnly(2)).expects(ack(2));
            assertThat(it.received()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule("DUP-01")
    void repeatedWriteChangesNoMemoryAndChecksNoKey() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(writeOnly(it, 0, 0)).expects(ack(0));
            it.side.bytes().putLong(0, 0x55);
            it.sends(writeOnly(it, 0, 0)).expects(ack(0));
            it.sends(write(Opcode.RDMA_WRITE_ONLY, 0, 1, 0xbad, 8, pattern(900, 8)));
            it.expects(ack(0)).expectsNothing();
            it.holds(0, 0x55);
            assertState(it.side.qp, QpState.RTS);
        }
    }

    @Test
    @Rule("DUP-01")
    void repeatedPacketInTheMiddleOfAMessageLeavesTheMessageWhole() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, 3 * MTU));
            it.sends(packet(Opcode.SEND_FIRST, 0, pattern(7, MTU)), packet(Opcode.SEND_MIDDLE, 1, pattern(8, MTU)));
            it.sends(packet(Opcode.SEND_FIRST, 0, pattern(99, MTU)), packet(Opcode.SEND_MIDDLE, 1, pattern(98, MTU)));
            it.expects(ack(1)).expectsNothing();
            it.sends(packet(Opcode.SEND_LAST, 2, pattern(9, 4)).ackRequest(true))
                    .expects(ack(2));
            assertThat(it.received()).isSuccess().hasByteLength(2 * MTU + 4);
            it.remembers(0, pattern(7, MTU)).remembers(MTU, pattern(8, MTU)).remembers(2 * MTU, pattern(9, 4));
        }
    }

    @Test
    @Rule("DUP-02")
    void repeatedReadReadsMemoryAnew() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(read(it, 0, 0, 2 * MTU)).expects(first(0, bytes(0)), last(1, bytes(MTU)));
            it.side.bytes().put(0, pattern(5000, 2 * MTU));
            it.sends(read(it, 0, 0, 2 * MTU));
            it.expects(first(0, bytes(5000)), last(1, bytes(5000 + MTU))).expectsNothing();
        }
    }

    @Test
    @Rule("DUP-02")
    void repeatedReadOfATailIsAnsweredFromThere() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(read(it, 0, 0, 3 * MTU + 5)).takeAll();
            it.sends(read(it, 2, 2 * MTU, MTU + 5));
            it.expects(first(2, bytes(2 * MTU)), last(3, pattern(3 * MTU, 5))).expectsNothing();
            it.sends(read(it, 3, 3 * MTU, 5));
            it.expects(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 3, pattern(3 * MTU, 5)));
            it.expectsNothing();
        }
    }

    @Test
    @Rule("DUP-02")
    void repeatedReadOfAPartIsAnsweredWithThatPartAndNoMore() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(read(it, 0, 0, 4 * MTU)).takeAll();
            it.sends(read(it, 1, MTU, MTU + 8));
            it.expects(first(1, bytes(MTU)), last(2, pattern(2 * MTU, 8))).expectsNothing();
            it.sends(read(it, 1, MTU, 0));
            it.expects(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 1, new byte[0]))
                    .expectsNothing();
        }
    }

    @Test
    @Rule("DUP-02")
    void repeatedReadThatIsNoPartOfTheOriginalIsDropped() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(read(it, 0, 0, 3 * MTU), writeOnly(it, 3, 4096)).takeAll();
            it.sends(
                    read(it, 1, 0, MTU), // the address does not go on with the PSN
                    read(it, 1, MTU, 2 * MTU + 1), // longer than what is left
                    readRequest(0, it.side.address(0), it.side.rkey() + 1, 3 * MTU), // another key
                    read(it, 3, 3 * MTU, 0), // the PSN of a WRITE
                    fetchAdd(0, it.side.address(0), it.side.rkey(), 1)); // not even a READ
            it.expectsNothing();
            assertState(it.side.qp, QpState.RTS);
            it.sends(read(it, 1, MTU, 2 * MTU)).expects(first(1, bytes(MTU)), last(2, bytes(2 * MTU)));
        }
    }

    @Test
    @Rule("DUP-02")
    void repeatedReadWhoseKeyWasRevokedGetsAccessNak() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1);
            it.sends(read(it, 0, 0, 8)).takeAll();
            Packet again = read(it, 0, 0, 8);
            it.side.region.close();
            it.sends(again).expects(nak(0, Syndrome.NAK_REMOTE_ACCESS)).expectsNothing();
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    @Rule({"DUP-02", "AE-21"})
    void refusalOfARepeatedReadFlushesTheReceiveOfAMessageUnderWay() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, 2 * MTU));
            it.sends(read(it, 0, 0, 8), packet(Opcode.SEND_FIRST, 1, pattern(0, MTU)))
                    .takeAll();
            Packet again = read(it, 0, 0, 8);
            it.side.region.close();
            it.sends(again).expects(nak(0, Syndrome.NAK_REMOTE_ACCESS));
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(1);
            it.completesNothing();
        }
    }

    @Test
    @Rule({"DUP-03", "T-04"})
    void repeatedFetchAddReturnsTheSavedResultAndAddsNothing() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.bytes().putLong(0, 40);
            Packet request = fetchAdd(0, it.side.address(0), it.side.rkey(), 2);
            it.sends(request).expects(atomicResponse(0, 40)).expectsNothing();
            it.sends(request, request).expects(atomicResponse(0, 40)).expectsNothing();
            it.sends(request).expects(atomicResponse(0, 40)).expectsNothing();
            it.holds(0, 42);
        }
    }

    @Test
    @Rule("DUP-03")
    void repeatedCompareSwapReturnsTheSavedResultEvenWhenItWouldNowFind() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.bytes().putLong(8, 1);
            Packet request = compareSwap(0, it.side.address(8), it.side.rkey(), 1, 2);
            it.sends(request).expects(atomicResponse(0, 1));
            it.side.bytes().putLong(8, 1);
            it.sends(request).expects(atomicResponse(0, 1));
            it.holds(8, 1);
            it.sends(fetchAdd(0, it.side.address(8), it.side.rkey(), 1)).expectsNothing();
        }
    }

    @Test
    @Rule({"DUP-03", "DUP-06"})
    void onlyAsManyAsMaxDestRdAtomicAreRemembered() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(2))) {
            for (int psn = 0; psn < 3; psn++) {
                it.side.bytes().putLong(8 * psn, 10 + psn);
                it.sends(fetchAdd(psn, it.side.address(8 * psn), it.side.rkey(), 1));
                it.expects(atomicResponse(psn, 10 + psn));
            }
            it.sends(fetchAdd(0, it.side.address(0), it.side.rkey(), 1)).expectsNothing();
            it.sends(fetchAdd(1, it.side.address(8), it.side.rkey(), 1)).expects(atomicResponse(1, 11));
            it.sends(fetchAdd(2, it.side.address(16), it.side.rkey(), 1)).expects(atomicResponse(2, 12));
            it.holds(0, 11);
        }
    }

    @Test
    @Rule({"DUP-06", "WC-27"})
    void oneRequestMoreThanThereAreSlotsIsInvalid() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(2))) {
            it.sends(read(it, 0, 0, 8), read(it, 1, 8, 8), read(it, 2, 16, 8));
            it.expects(only(0, 0), only(1, 8), nak(2, Syndrome.NAK_INVALID_REQUEST))
                    .expectsNothing();
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            assertState(it.side.qp, QpState.ERR);
        }
    }

    @Test
    @Rule({"DUP-06", "WR-33"})
    void withoutSlotsEveryReadAndAtomicIsInvalid() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(0))) {
            it.sends(fetchAdd(0, it.side.address(0), it.side.rkey(), 1));
            it.expects(nak(0, Syndrome.NAK_INVALID_REQUEST)).expectsNothing();
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @Test
    @Rule({"DUP-06", "DUP-02"})
    void slotThatIsAnsweredOnlyOnceMoreIsFreeForANewRequest() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(1))) {
            it.sends(read(it, 0, 0, 2 * MTU)).expects(first(0, bytes(0)), last(1, bytes(MTU)));
            it.sends(read(it, 0, 0, 2 * MTU)).expects(first(0, bytes(0)));
            it.sends(read(it, 2, 8, 8)).expects(only(2, 8)).expectsNothing();
        }
    }

    @Test
    @Rule({"DUP-06", "WC-27"})
    void slotWhoseFirstAnswerWasBegunAnewIsNotFree() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(1))) {
            it.sends(read(it, 0, 0, 2 * MTU)).expects(first(0, bytes(0)));
            it.sends(read(it, 0, 0, 2 * MTU)).expects(first(0, bytes(0)));
            it.sends(read(it, 2, 8, 8)).expects(last(1, bytes(MTU)), nak(2, Syndrome.NAK_INVALID_REQUEST));
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @Test
    @Rule({"DUP-05", "PR-01"})
    void repeatedRequestAfterANakHasNoEffect() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.bytes().putLong(0, 1);
            Packet add = fetchAdd(0, it.side.address(0), it.side.rkey(), 1);
            it.sends(add).expects(atomicResponse(0, 1));
            it.sends(write(Opcode.RDMA_WRITE_ONLY, 1, it.side.address(64), 0xbad, 8, pattern(900, 8)));
            it.expects(nak(1, Syndrome.NAK_REMOTE_ACCESS));
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            it.sends(add, writeOnly(it, 1, 64)).expectsNothing().isUntouched(64, 72);
            it.holds(0, 2);
        }
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(800, 8)).ackRequest(true);
    }

    private static Packet writeOnly(Dialogue it, int psn, int offset) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, it.side.address(offset), it.side.rkey(), 8, pattern(900, 8))
                .ackRequest(true);
    }

    private static Packet read(Dialogue it, int psn, int offset, int lengthBytes) {
        return readRequest(psn, it.side.address(offset), it.side.rkey(), lengthBytes);
    }

    private static byte[] bytes(int from) {
        return pattern(from, MTU);
    }

    private static Packet first(int psn, byte[] payload) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, psn, payload);
    }

    private static Packet last(int psn, byte[] payload) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_LAST, psn, payload);
    }

    private static Packet only(int psn, int from) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn, pattern(from, 8));
    }
}
