// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.ud;

import static dev.verbatim.testing.Dialogue.PEER;
import static dev.verbatim.testing.Dialogue.PEER_QP;
import static dev.verbatim.testing.Dialogue.QUEUE_KEY;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import org.junit.jupiter.api.Test;

/** Datagrams, packet by packet. */
class DatagramTest {

    private static final int PORT_MTU = 4096;
    private static final QpAttributes TO_RTS = new QpAttributes().state(QpState.RTS);

    /** What the device sends with its PSN. */
    private static Packet sent(Dialogue it, int psn, byte[] payload) {
        return packet(Opcode.UD_SEND_ONLY, psn, payload)
                .sourceQp(it.side.qp.number())
                .queueKey(QUEUE_KEY);
    }

    /** What the peer sends. */
    private static Packet came(byte[] payload) {
        return packet(Opcode.UD_SEND_ONLY, 0, payload).sourceQp(PEER_QP).queueKey(QUEUE_KEY);
    }

    private static void goesOnInSilence(Dialogue it) {
        it.expectsNothing().raisesNothing();
        assertState(it.side.qp, QpState.RTS);
    }

    // What it sends.

    @Test
    @Rule({"UD-01", "ORD-10", "ORD-15", "TX-01"})
    void datagramIsOnePacketAndDoneWhenItHasLeft() {
        try (Dialogue it = Dialogue.overUd()) {
            it.posts(
                    it.toPeer(SendWorkRequest.send(1, it.side.sge(0, PORT_MTU))),
                    it.toPeer(SendWorkRequest.sendWithImmediate(2, 9)).plus(SendFlags.SOLICITED));
            it.completesNothing();
            it.expects(sent(it, 0, pattern(0, PORT_MTU)));
            assertThat(it.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.SEND);
            it.expects(packet(Opcode.UD_SEND_ONLY_WITH_IMM, 1)
                            .immediate(9)
                            .solicited(true)
                            .sourceQp(it.side.qp.number())
                            .queueKey(QUEUE_KEY))
                    .expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(2);
            assertThat(it.side.qp.query().pathMtu()).isEqualTo(PathMtu.MTU_4096);
        }
    }

    @Test
    @Rule("UD-01")
    void datagramSaysOfItsWayWhatItsAddressHandleSays() {
        try (Dialogue it = Dialogue.overUd()) {
            AddressHandle there =
                    it.side.pd.createAddressHandle(AddressVector.to(PEER).withGrh(0xa5, 0xf_1234, 7));
            it.posts(
                    SendWorkRequest.send(1).to(there, PEER_QP, QUEUE_KEY),
                    it.toPeer(SendWorkRequest.send(2)),
                    SendWorkRequest.sendWithImmediate(3, 9).to(there, PEER_QP, QUEUE_KEY));
            it.expects(
                    sent(it, 0, new byte[0])
                            .trafficClass(0xa5)
                            .flowLabel(0xf_1234)
                            .hopLimit(7),
                    sent(it, 1, new byte[0]),
                    packet(Opcode.UD_SEND_ONLY_WITH_IMM, 2)
                            .immediate(9)
                            .sourceQp(it.side.qp.number())
                            .queueKey(QUEUE_KEY)
                            .trafficClass(0xa5)
                            .flowLabel(0xf_1234)
                            .hopLimit(7));
        }
    }

    @Test
    @Rule({"UD-01", "ORD-20"})
    void datagramsOfOneQueueGoTheirOwnWaysInOrder() {
        try (Dialogue it = Dialogue.overUd()) {
            AddressHandle other = it.side.pd.createAddressHandle(AddressVector.to(Gid.ofGuid(0x98)));
            for (int id = 0; id < 4; id++) {
                SendWorkRequest request = SendWorkRequest.send(id, it.side.sge(id, 8));
                it.posts(id % 2 == 0 ? it.toPeer(request) : request.to(other, 5, QUEUE_KEY));
            }
            it.expects(sent(it, 0, pattern(0, 8))).expectsNothing();
            assertThat(it.fabric.take(other.addressVector().destination()).psn())
                    .isEqualTo(1);
            assertThat(it.fabric.take(other.addressVector().destination())).isNull();
            it.expects(sent(it, 2, pattern(2, 8))).expectsNothing();
            assertThat(it.fabric
                            .take(other.addressVector().destination())
                            .toPacket()
                            .destQp())
                    .isEqualTo(5);
            for (int id = 0; id < 4; id++) {
                assertThat(it.sent()).isSuccess().hasId(id);
            }
        }
    }

    @Test
    @Rule("WR-41")
    void privilegedQueueKeyOfARequestStandsForTheSendersOwn() {
        try (Dialogue it = Dialogue.overUd()) {
            AddressHandle there = it.side.pd.createAddressHandle(AddressVector.to(PEER));
            it.posts(
                    SendWorkRequest.send(1).to(there, PEER_QP, 0x80010000),
                    SendWorkRequest.send(2).to(there, PEER_QP, 0x7fffffff));
            it.expects(sent(it, 0, new byte[0]), sent(it, 1, new byte[0]).queueKey(0x7fffffff));
        }
    }

    @Test
    @Rule({"WR-41", "WC-31", "QS-06", "WC-05"})
    void handleOfAnotherDomainTakesTheQueuePairToSqeWhereItReceivesOn() {
        try (Dialogue it = Dialogue.overUd()) {
            ProtectionDomain other = it.side.device.allocatePd();
            AddressHandle foreign = other.createAddressHandle(AddressVector.to(PEER));
            it.postsReceive(11, it.side.sge(4000, 100));
            it.posts(
                    it.toPeer(SendWorkRequest.send(1)),
                    SendWorkRequest.send(2).to(foreign, PEER_QP, QUEUE_KEY).unsignaled(),
                    it.toPeer(SendWorkRequest.send(3)));
            it.expects(sent(it, 0, new byte[0])).expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).hasStatus(WcStatus.LOC_QP_OP_ERR).hasId(2).isExplainedBy("WR-41", "pd 2");
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
            assertState(it.side.qp, QpState.SQE);
            it.posts(it.toPeer(SendWorkRequest.send(4)));
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(4);
            it.sends(came(pattern(0, 8))).raisesNothing();
            assertThat(it.received()).isSuccess().hasId(11);

            it.side.qp.modify(TO_RTS);
            it.posts(it.toPeer(SendWorkRequest.send(5)));
            it.expects(sent(it, 1, new byte[0]));
            assertThat(it.sent()).isSuccess().hasId(5);
        }
    }

    @Test
    @Rule("UD-01")
    void datagramLongerThanThePathMtuIsDroppedWithItsReason() {
        try (Dialogue it = Dialogue.overUd()) {
            it.postsReceive(11, it.side.sge(0, Grh.BYTES + PORT_MTU + 8));
            it.sends(came(pattern(0, PORT_MTU + 1))).completesNothing();
            assertThat(it.side.device.droppedPackets())
                    .singleElement()
                    .asString()
                    .contains("1 packets for qp ", "payload=4097 > path MTU 4096; send less [UD-01]");
        }
    }

    @Test
    @Rule({"WR-40", "WC-32", "QS-06"})
    void datagramLongerThanAPacketIsRefusedWhenItExecutes() {
        try (Dialogue it = Dialogue.overUd()) {
            it.posts(it.toPeer(SendWorkRequest.send(1, it.side.sge(0, PORT_MTU), it.side.sge(0, 1))));
            it.expectsNothing();
            assertThat(it.sent())
                    .hasStatus(WcStatus.LOC_LEN_ERR)
                    .hasId(1)
                    .isExplainedBy("WR-40", "4097 > path MTU 4096");
            assertState(it.side.qp, QpState.SQE);
        }
    }

    @Test
    @Rule("WR-40")
    void datagramLongerThanAPacketMaySeemToBeSent() {
        DeviceProfile silent = DeviceProfile.STRICT_IBTA.toBuilder()
                .posting(PostingSwitches.STRICT.toBuilder()
                        .udOversizeSilent(true)
                        .build())
                .build();
        try (Dialogue it = Dialogue.overUd(silent)) {
            it.posts(
                    it.toPeer(SendWorkRequest.send(1, it.side.sge(0, PORT_MTU + 1))),
                    it.toPeer(SendWorkRequest.send(2)));
            it.expects(sent(it, 0, new byte[0])).expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).isSuccess().hasId(2);
            assertState(it.side.qp, QpState.RTS);
        }
    }

    @Test
    @Rule({"WC-29", "MR-42"})
    void datagramFromMemoryThatIsNotTheSendersIsNotSent() {
        try (Dialogue it = Dialogue.overUd()) {
            it.posts(it.toPeer(SendWorkRequest.send(1, new Sge(0, 8, 0xbad))));
            it.expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
            assertState(it.side.qp, QpState.SQE);
        }
    }

    @Test
    @Rule({"WR-01", "WR-41", "MW-90"})
    void requestsThatAreNoDatagramsCannotBePosted() {
        try (Dialogue it = Dialogue.overUd()) {
            for (SendWorkRequest request : new SendWorkRequest[] {
                SendWorkRequest.write(1, 0x5000, 77, it.side.sge(0, 8)),
                SendWorkRequest.writeWithImmediate(1, 0x5000, 77, 5, it.side.sge(0, 8)),
                SendWorkRequest.read(1, 0x5000, 77, it.side.sge(0, 8)),
                SendWorkRequest.fetchAndAdd(1, 0x5000, 77, 1, it.side.sge(0, 8)),
                SendWorkRequest.compareAndSwap(1, 0x5000, 77, 1, 2, it.side.sge(0, 8)),
                SendWorkRequest.localInvalidate(1, 77),
            }) {
                assertRefused(Errno.EINVAL, "WR-01", () -> it.posts(it.toPeer(request)), "UD");
            }
            SendWorkRequest invalidating = it.toPeer(SendWorkRequest.sendWithInvalidate(1, 5));
            assertRefused(Errno.EINVAL, "MW-90", () -> it.posts(invalidating), "SEND_WITH_INV");
            assertRefused(Errno.EINVAL, "WR-41", () -> it.posts(SendWorkRequest.send(1)), "address handle");
            it.expectsNothing().completesNothing();
        }
    }

    @Test
    @Rule("WR-41")
    void handleMayGoOnceTheRequestIsPosted() {
        try (Dialogue it = Dialogue.overUd()) {
            AddressHandle going = it.side.pd.createAddressHandle(AddressVector.to(PEER));
            SendWorkRequest request = SendWorkRequest.send(1).to(going, PEER_QP, QUEUE_KEY);
            it.posts(request);
            going.close();
            it.expects(sent(it, 0, new byte[0]));
            assertThat(it.sent()).isSuccess().hasId(1);
            assertRefused(Errno.EINVAL, "WR-41", () -> it.posts(request), "destroyed");
        }
    }

    @Test
    @Rule({"QP-26", "AE-06"})
    void drainHasNothingToWaitFor() {
        try (Dialogue it = Dialogue.overUd()) {
            it.posts(it.toPeer(SendWorkRequest.send(1)), it.toPeer(SendWorkRequest.send(2)));
            it.expects(sent(it, 0, new byte[0]));
            it.side.qp.modify(new QpAttributes().state(QpState.SQD).notifyDrained(true));
            assertEvent(it.event(), EventType.SQ_DRAINED, it.side.qp);
            it.expectsNothing().raisesNothing();
            it.postsReceive(11, it.side.sge(4000, 100)).sends(came(pattern(0, 8)));
            assertThat(it.received()).isSuccess().hasId(11);
            it.side.qp.modify(TO_RTS);
            it.expects(sent(it, 1, new byte[0]));
        }
    }

    @Test
    @Rule("QV-11")
    void privilegedQueueKeyCannotBeOwned() {
        try (Dialogue it = Dialogue.overUd()) {
            QpAttributes privileged = new QpAttributes().queueKey(0x80010000);
            assertRefused(Errno.EPERM, "QV-11", () -> it.side.qp.modify(privileged), "0x80010000");
            assertThat(it.side.qp.query().queueKey()).isEqualTo(QUEUE_KEY);
            it.side.qp.modify(new QpAttributes().queueKey(0x7fffffff));
            assertThat(it.side.qp.query().queueKey()).isEqualTo(0x7fffffff);
        }
    }

    // What it receives.

    @Test
    @Rule({"UD-01", "TV-13", "WC-02"})
    void datagramLiesBehindItsGrh() {
        try (Dialogue it = Dialogue.overUd()) {
            it.postsReceive(11, it.side.sge(4000, 30), it.side.sge(5000, 100));
            it.sends(came(pattern(100, 16)));
            WorkCompletion received = it.received();
            assertThat(received)
                    .isSuccess()
                    .hasId(11)
                    .hasOpcode(WcOpcode.RECV)
                    .hasByteLength(56)
                    .hasFlags(WcFlags.GRH);
            assertThat(received.sourceQp()).isEqualTo(PEER_QP);
            it.remembers(5010, pattern(100, 16)).isUntouched(5026, 5100);
            byte[] head = new byte[Grh.BYTES];
            it.side.bytes().get(4000, head, 0, 30).get(5000, head, 30, 10);
            // BTH, DETH, payload and ICRC follow it.
            assertThat(Grh.parse(java.nio.ByteBuffer.wrap(head), 0))
                    .isEqualTo(new Grh(0, 0, 12 + 8 + 16 + 4, 0x1b, 64, PEER, it.side.device.gid()));
            assertThat(head[0]).isEqualTo((byte) 0x60);
            goesOnInSilence(it);
        }
    }

    @Test
    @Rule("UD-01")
    void grhIsThatOfTheSenderAndOfNoDatagramBefore() {
        try (Dialogue it = Dialogue.overUd()) {
            it.postsReceive(11, it.side.sge(4000, 100)).postsReceive(12, it.side.sge(5000, 100));
            it.sends(came(pattern(0, 8)).trafficClass(0xa5).flowLabel(0xf_1234).hopLimit(7), came(pattern(0, 8)));
            WorkCompletion first = it.received();
            assertThat(it.received()).isSuccess().hasId(12);
            Grh grh = Grh.parse(it.side.bytes(), 4000);
            assertThat(grh).isEqualTo(new Grh(0xa5, 0xf_1234, 32, 0x1b, 7, PEER, it.side.device.gid()));
            assertThat(Grh.parse(it.side.bytes(), 5000))
                    .isEqualTo(new Grh(0, 0, 32, 0x1b, 64, PEER, it.side.device.gid()));
            assertThat(AddressVector.toAnswer(it.side.device, first, grh, 1))
                    .isEqualTo(AddressVector.to(PEER).withGrh(0xa5, 0xf_1234, 255));
        }
    }

    @Test
    @Rule({"UD-01", "WC-50", "WC-47"})
    void datagramThatDoesNotFitIsDroppedAndItsReceiveIsForTheNext() {
        try (Dialogue it = Dialogue.overUd()) {
            it.sends(came(pattern(0, 8)));
            it.postsReceive(11, it.side.sge(4000, Grh.BYTES + 8));
            it.sends(
                    came(pattern(0, 9)),
                    came(pattern(0, 8)).queueKey(QUEUE_KEY + 1),
                    came(pattern(0, 8)).queueKey(0),
                    packet(Opcode.UC_SEND_ONLY, 0, pattern(0, 8)),
                    packet(Opcode.SEND_ONLY, 0, pattern(0, 8)),
                    came(pattern(0, 8)).pkey(0x7fff));
            it.completesNothing().isUntouched(4000, 4100);
            assertThat(it.side.device.queryPort(1).badQueueKeys()).isEqualTo(2);
            assertThat(it.side.device.queryPort(1).badPkeys()).isEqualTo(1);
            goesOnInSilence(it);
            it.sendsFrom(Gid.ofGuid(0x98), came(pattern(3, 8)));
            assertThat(it.received()).isSuccess().hasId(11).hasByteLength(48);
            it.remembers(4000 + Grh.BYTES, pattern(3, 8));
        }
    }

    @Test
    @Rule("UD-01")
    void datagramsFromTheSameSenderMayComeInAnyOrder() {
        try (Dialogue it = Dialogue.overUd()) {
            for (int psn : new int[] {7, 3, 3}) {
                it.postsReceive(psn, it.side.sge(4000, 100))
                        .sends(came(pattern(0, 8)).psn(psn));
                assertThat(it.received()).isSuccess().hasId(psn);
            }
        }
    }

    @Test
    @Rule({"WC-21", "WC-47"})
    void receiveThatCannotBeFilledEndsTheQueuePair() {
        try (Dialogue it = Dialogue.overUd()) {
            it.postsReceive(11, it.side.sge(4000, Grh.BYTES), new Sge(0, 100, 0xbad))
                    .postsReceive(12);
            it.sends(came(pattern(0, 8))).raisesNothing();
            assertThat(it.received()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(11);
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(12);
            assertState(it.side.qp, QpState.ERR);
        }
    }

    @Test
    void answerGoesToWhoeverTheGrhNames() {
        try (Dialogue it = Dialogue.overUd()) {
            it.postsReceive(11, it.side.sge(4000, 100));
            it.sendsFrom(Gid.ofGuid(0x98), came(pattern(0, 8)));
            WorkCompletion received = it.received();
            Grh grh = Grh.parse(it.side.bytes(), 4000);
            try (AddressHandle back = it.side.pd.createAddressHandle(received, grh, 1)) {
                assertThat(back.addressVector().destination()).isEqualTo(Gid.ofGuid(0x98));
                assertThat(back.addressVector().global()).isTrue();
            }
            Grh strayed = new Grh(0, 0, 24, Grh.IBA_TRANSPORT, 64, PEER, Gid.ofGuid(0x97));
            assertRefused(Errno.EINVAL, "UD-01", () -> it.side.pd.createAddressHandle(received, strayed, 1), "was for");
            it.posts(it.toPeer(SendWorkRequest.send(1)));
            it.expects(sent(it, 0, new byte[0]));
            WorkCompletion own = it.sent();
            assertRefused(Errno.EINVAL, "WC-02", () -> it.side.pd.createAddressHandle(own, grh, 1), "no GRH");
            asserted();
        }
    }
}
