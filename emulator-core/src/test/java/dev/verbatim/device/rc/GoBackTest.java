// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.write;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.Test;

/** What a requester sends again, and from where (RT-05). */
class GoBackTest {

    private static final long ADDRESS = 0x7000_0000_1000L;
    private static final int RKEY = 0x1201;
    private static final long TIMEOUT = AckTimeout.nanos(8);

    @Test
    @Rule("RT-05")
    void timeoutResendsAllFromTheOldestUnacknowledgedPacketOnEvenInTheMiddleOfAMessage() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(writes(it, 1, 3), writes(it, 2, 1));
            it.expects(first(3, 0), middle(1, 1), last(2, 2), only(3)).expectsNothing();
            it.sends(ack(0)).expectsNothing();
            it.after(TIMEOUT).expects(middle(1, 1), last(2, 2), only(3)).expectsNothing();
            it.sends(ack(3));
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule({"RT-05", "ACK-03"})
    void sequenceNakAcknowledgesWhatIsBeforeItAndResendsAllFromIt() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(writes(it, 1, 1), writes(it, 2, 3));
            it.expects(only(0), first(3, 1), middle(2, 1), last(3, 2)).expectsNothing();
            it.sends(nak(2, Syndrome.NAK_PSN_SEQUENCE));
            assertThat(it.sent()).isSuccess().hasId(1);
            it.expects(middle(2, 1), last(3, 2)).expectsNothing();
            it.sends(ack(3));
            assertThat(it.sent()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule("RT-05")
    void acknowledgementDuringTheResendSkipsWhatItAcknowledges() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(writes(it, 1, 4), writes(it, 2, 1), writes(it, 3, 1));
            it.expects(first(4, 0), middle(1, 1), middle(2, 2), last(3, 3), only(4), only(5))
                    .expectsNothing();
            it.after(TIMEOUT).expects(first(4, 0));
            it.sends(ack(2)).expects(last(3, 3));
            it.sends(ack(4)).expects(only(5)).expectsNothing();
        }
    }

    @Test
    @Rule({"RT-05", "DUP-02"})
    void readGoesOnAtItsFirstMissingByte() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(reads(it, 1, 3 * MTU + 10), writes(it, 2, 1));
            it.expects(readRequest(0, ADDRESS, RKEY, 3 * MTU + 10), only(4)).expectsNothing();
            it.sends(readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0, pattern(0, MTU)));
            it.after(TIMEOUT);
            it.expects(readRequest(1, ADDRESS + MTU, RKEY, 2 * MTU + 10), only(4))
                    .expectsNothing();
            it.sends(
                    readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 1, pattern(MTU, MTU)),
                    readResponse(Opcode.RDMA_READ_RESPONSE_MIDDLE, 2, pattern(2 * MTU, MTU)),
                    readResponse(Opcode.RDMA_READ_RESPONSE_LAST, 3, pattern(3 * MTU, 10)));
            assertThat(it.sent()).isSuccess().hasId(1).hasByteLength(3 * MTU + 10);
            it.remembers(0, pattern(0, 3 * MTU + 10));
        }
    }

    @Test
    @Rule("RT-05")
    void lateResponsesBetweenGoingBackAndAskingAgainAreTakenAndNotAskedForAgain() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(reads(it, 1, 3 * MTU));
            it.expects(readRequest(0, ADDRESS, RKEY, 3 * MTU)).expectsNothing();
            it.after(TIMEOUT);
            it.sends(readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0, pattern(0, MTU)));
            it.expects(readRequest(1, ADDRESS + MTU, RKEY, 2 * MTU)).expectsNothing();
        }
    }

    @Test
    @Rule("RT-05")
    void atomicIsAskedForAgainAsItWas() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.fetchAndAdd(1, ADDRESS, RKEY, 5, it.side.sge(0, 8)));
            it.expects(fetchAdd(0, ADDRESS, RKEY, 5));
            it.after(TIMEOUT).expects(fetchAdd(0, ADDRESS, RKEY, 5));
            it.expectsNothing().sends(atomicResponse(0, 77));
            assertThat(it.sent()).isSuccess().hasByteLength(8);
            it.holds(0, 77);
        }
    }

    @Test
    @Rule({"WC-29", "RT-05", "ORD-10"})
    void requestsBeforeOneThatFailedLocallyAreStillSentAgain() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(writes(it, 1, 1), SendWorkRequest.write(2, ADDRESS, RKEY, new Sge(0x1234, 8, 0xbad)));
            it.expects(only(0)).expectsNothing();
            it.after(TIMEOUT).expects(only(0)).expectsNothing();
            it.completesNothing().sends(ack(0));
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(2);
        }
    }

    /** The region cannot be bound to, so the bind fails; it waits with that until the WRITE before it is acknowledged. */
    private static SendWorkRequest failingBind(Dialogue it, long id) {
        MemoryWindow window = it.side.pd.allocateWindow(MemoryWindowType.TYPE_2);
        return SendWorkRequest.bindWindow(id, window, 1, BindInfo.of(it.side.region, AccessFlags.REMOTE_READ));
    }

    @Test
    @Rule({"RT-05", "MW-71", "WC-33", "ORD-16"})
    void bindThatFailedHoldsBackWhatIsBehindItWhenOthersAreSentAgain() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(writes(it, 1, 1), failingBind(it, 2), writes(it, 3, 1));
            it.expects(only(0)).expectsNothing();
            it.after(TIMEOUT).expects(only(0)).expectsNothing();
            it.sends(ack(0)).expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).hasStatus(WcStatus.MW_BIND_ERR).hasId(2);
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        }
    }

    private static SendWorkRequest writes(Dialogue it, long id, int packets) {
        return SendWorkRequest.write(id, ADDRESS, RKEY, it.side.sge(0, packets * MTU));
    }

    private static SendWorkRequest reads(Dialogue it, long id, int lengthBytes) {
        return SendWorkRequest.read(id, ADDRESS, RKEY, it.side.sge(0, lengthBytes));
    }

    private static Packet first(int packets, int psn) {
        return write(Opcode.RDMA_WRITE_FIRST, psn, ADDRESS, RKEY, packets * MTU, pattern(0, MTU));
    }

    private static Packet middle(int psn, int index) {
        return packet(Opcode.RDMA_WRITE_MIDDLE, psn, pattern(index * MTU, MTU));
    }

    private static Packet last(int psn, int index) {
        return packet(Opcode.RDMA_WRITE_LAST, psn, pattern(index * MTU, MTU)).ackRequest(true);
    }

    private static Packet only(int psn) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, ADDRESS, RKEY, MTU, pattern(0, MTU))
                .ackRequest(true);
    }
}
