// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Dialogue.PEER;
import static dev.verbatim.testing.Dialogue.PEER_QP;
import static dev.verbatim.testing.Dialogue.QUEUE_KEY;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each state of a UC or UD queue pair allows, row by row of D.3. */
class UnreliableStatesTest {

    private static final QpAttributes TO_INIT =
            new QpAttributes().state(QpState.INIT).pkeyIndex(0).portNumber(1);
    private static final QpAttributes TO_SQD = new QpAttributes().state(QpState.SQD);
    private static final QpAttributes TO_ERR = new QpAttributes().state(QpState.ERR);
    private static final QpAttributes TO_RESET = new QpAttributes().state(QpState.RESET);

    private static Dialogue dialogue(QpType type) {
        return Dialogue.unconnected(DeviceProfile.STRICT_IBTA, type);
    }

    private static void initialize(Dialogue it) {
        QpAttributes attributes = new QpAttributes(TO_INIT);
        it.side.qp.modify(
                it.side.qp.initAttributes().type() == QpType.UD
                        ? attributes.queueKey(QUEUE_KEY)
                        : attributes.accessFlags(0));
    }

    private static void getReadyToReceive(Dialogue it) {
        if (it.side.qp.initAttributes().type() == QpType.UD) {
            new UdReadiness(QUEUE_KEY).readyToReceive(it.side.qp);
        } else {
            Dialogue.UC.readyToReceive(it.side.qp, new RcConnection.Endpoint(PEER, PEER_QP, 0));
        }
    }

    private static Dialogue inRts(QpType type) {
        return type == QpType.UD ? Dialogue.overUd() : Dialogue.overUc();
    }

    private static SendWorkRequest send(Dialogue it, long id) {
        SendWorkRequest request = SendWorkRequest.send(id, it.side.sge(0, 8));
        return it.side.qp.initAttributes().type() == QpType.UD ? it.toPeer(request) : request;
    }

    /** A message of the peer; one of a datagram is longer by its GRH. */
    private static Packet comes(Dialogue it, int psn) {
        return it.side.qp.initAttributes().type() == QpType.UD
                ? packet(Opcode.UD_SEND_ONLY, psn, pattern(0, 8))
                        .sourceQp(PEER_QP)
                        .queueKey(QUEUE_KEY)
                : packet(Opcode.UC_SEND_ONLY, psn, pattern(0, 8));
    }

    private static void receives(Dialogue it, int id) {
        it.postsReceive(id, it.side.sge(4000, 100)).sends(comes(it, 0));
        assertThat(it.received()).isSuccess().hasId(id);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Rule({"QP-20", "QP-21"})
    void resetTakesNothing(QpType type) {
        try (Dialogue it = dialogue(type)) {
            assertRefused(Errno.EINVAL, "QP-20", () -> it.posts(send(it, 1)), "RESET");
            assertRefused(Errno.EINVAL, "QP-21", () -> it.postsReceive(11), "RESET");
            it.sends(comes(it, 0)).expectsNothing().completesNothing();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Rule({"QP-20", "QP-21", "QP-28"})
    void initQueuesReceivesAndDropsPackets(QpType type) {
        try (Dialogue it = dialogue(type)) {
            initialize(it);
            it.postsReceive(11, it.side.sge(4000, 100));
            assertRefused(Errno.EINVAL, "QP-20", () -> it.posts(send(it, 1)), "INIT");
            it.sends(comes(it, 0)).expectsNothing().completesNothing();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Rule("QP-20")
    void rtrReceivesAndDoesNotSend(QpType type) {
        try (Dialogue it = dialogue(type)) {
            getReadyToReceive(it);
            assertRefused(Errno.EINVAL, "QP-20", () -> it.posts(send(it, 1)), "RTR");
            receives(it, 11);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Rule("QP-26")
    void sqdReceivesAndKeepsSends(QpType type) {
        try (Dialogue it = inRts(type)) {
            it.side.qp.modify(TO_SQD);
            it.posts(send(it, 1)).expectsNothing().completesNothing();
            receives(it, 11);
            it.raisesNothing();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Rule({"QS-06", "WC-05"})
    void sqeReceivesAndFlushesSends(QpType type) {
        try (Dialogue it = inRts(type)) {
            SendWorkRequest bad = SendWorkRequest.send(1, new Sge(0, 8, 0xbad));
            it.posts(type == QpType.UD ? it.toPeer(bad) : bad).expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
            assertState(it.side.qp, QpState.SQE);
            it.posts(send(it, 2)).expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            receives(it, 11);
            assertRefused(Errno.EINVAL, "QS-06", () -> it.side.qp.modify(TO_SQD), "SQE");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Rule({"QP-22", "QP-23", "WC-40"})
    void errFlushesWhatIsThereAndWhatComes(QpType type) {
        try (Dialogue it = inRts(type)) {
            it.postsReceive(11, it.side.sge(4000, 100)).posts(send(it, 1).unsignaled());
            it.side.qp.modify(TO_ERR);
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(1);
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(11);
            it.postsReceive(12).posts(send(it, 2));
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(12);
            it.sends(comes(it, 0)).expectsNothing().completesNothing();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Rule("QP-24")
    void resetForgetsAndTheQueuePairComesUpAgain(QpType type) {
        try (Dialogue it = inRts(type)) {
            it.postsReceive(11, it.side.sge(4000, 100)).posts(send(it, 1), send(it, 2));
            it.take();
            it.side.qp.modify(TO_RESET);
            it.expectsNothing().completesNothing();
            getReadyToReceive(it);
            it.side.qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(77));
            it.posts(send(it, 3));
            assertThat(it.take().psn()).isEqualTo(77);
            assertThat(it.sent()).isSuccess().hasId(3);
            receives(it, 12);
        }
    }
}
