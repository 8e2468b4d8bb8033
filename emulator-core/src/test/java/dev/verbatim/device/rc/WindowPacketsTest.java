// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.rnr;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to windows between the packets of a message (MW-84 to MW-92, MW-110). */
class WindowPacketsTest {

    private static final int VARIANT = 0x41;
    private static final int RNR_TIMER = 12;
    private static final int ELSEWHERE = 8192;
    private static final int INBOX = 16_384;

    @AutoClose
    private Dialogue it;

    private MemoryRegion region;
    private MemoryWindow window;
    private int key;

    @BeforeEach
    void bind() {
        it = Dialogue.begin();
        region = it.side.pd.register(it.side.region.memory(), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        window = it.side.pd.allocateWindow(MemoryWindowType.TYPE_2);
        key = bind(0, 4 * MTU);
    }

    private int bind(int offset, int lengthBytes) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(
                1,
                window,
                VARIANT,
                new BindInfo(
                        region,
                        region.address() + offset,
                        lengthBytes,
                        AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC));
        it.posts(bind).expectsNothing();
        assertThat(it.sent()).isSuccess().hasOpcode(WcOpcode.BIND_MW);
        return bind.boundKey();
    }

    private void invalidate() {
        it.posts(SendWorkRequest.localInvalidate(2, key)).expectsNothing();
        assertThat(it.sent()).isSuccess().hasOpcode(WcOpcode.LOCAL_INV);
    }

    private long address(int offset) {
        return region.address() + offset;
    }

    private void assertDenied(String rule, String words) {
        AsyncEvent event = it.event();
        assertEvent(event, EventType.QP_ACCESS_ERR, it.side.qp);
        assertThat(event.refusal().rule()).isEqualTo(rule);
        assertThat(event.refusal().sentence()).contains(words);
        assertState(it.side.qp, QpState.ERR);
    }

    @Test
    @Rule({"MW-92", "MW-80", "N7"})
    void writeEndsWhereItsKeyWasRevoked() {
        it.sends(write(Opcode.RDMA_WRITE_FIRST, 0, address(0), key, 3 * MTU, pattern(5, MTU)));
        invalidate();
        it.sends(packet(Opcode.RDMA_WRITE_MIDDLE, 1, pattern(6, MTU)))
                .expects(nak(1, Syndrome.NAK_REMOTE_ACCESS))
                .remembers(0, pattern(5, MTU))
                .isUntouched(MTU, 4 * MTU);
        assertDenied("MW-80", "LOCAL_INV");
    }

    /** The message was accepted for other bytes than those that the same key stands for now. */
    @Test
    @Rule({"MW-92", "MW-33"})
    void writeDoesNotGoOnUnderTheNextBindingWithTheSameKey() {
        it.sends(write(Opcode.RDMA_WRITE_FIRST, 0, address(0), key, 3 * MTU, pattern(5, MTU)));
        invalidate();
        assertThat(bind(0, 4 * MTU)).isEqualTo(key);
        it.sends(packet(Opcode.RDMA_WRITE_MIDDLE, 1, pattern(6, MTU)))
                .expects(nak(1, Syndrome.NAK_REMOTE_ACCESS))
                .isUntouched(MTU, 4 * MTU);
        assertDenied("MW-92", "binding 1");
    }

    @Test
    @Rule({"MW-92", "MW-80"})
    void readEndsWhereItsKeyWasRevoked() {
        it.sends(readRequest(0, address(0), key, 4 * MTU))
                .expects(readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0, pattern(0, MTU)));
        it.posts(SendWorkRequest.localInvalidate(2, key));
        int psn = 1;
        while (it.side.sendCq.poll(1).isEmpty()) {
            if (psn == 2) {
                it.expects(nak(2, Syndrome.NAK_REMOTE_ACCESS));
                break;
            }
            it.expects(readResponse(Opcode.RDMA_READ_RESPONSE_MIDDLE, psn, pattern(psn * MTU, MTU)));
            psn++;
        }
        it.expectsNothing();
        assertDenied("MW-80", "LOCAL_INV");
    }

    @Test
    @Rule({"MW-92", "MW-33"})
    void readDoesNotGoOnUnderTheNextBindingWithTheSameKey() {
        it.sends(readRequest(0, address(0), key, 4 * MTU))
                .expects(readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0, pattern(0, MTU)));
        it.posts(
                SendWorkRequest.localInvalidate(2, key).unsignaled(),
                SendWorkRequest.bindWindow(
                        3, window, VARIANT, new BindInfo(region, address(0), 4 * MTU, AccessFlags.REMOTE_READ)));
        // Between the two requests the responder has its turns; the binding that the READ began with is over by then.
        Opcode last = Opcode.RDMA_READ_RESPONSE_FIRST;
        int answers = 1;
        while (last != Opcode.ACKNOWLEDGE) {
            last = it.take().opcode();
            answers++;
        }
        assertThat(answers).isLessThan(5);
        it.expectsNothing();
        AsyncEvent event = it.event();
        assertEvent(event, EventType.QP_ACCESS_ERR, it.side.qp);
        assertThat(event.refusal().rule()).isIn("MW-80", "MW-92");
    }

    @Test
    @Rule({"MW-110", "H3-5"})
    void moreThanWasAnnouncedIsAnInvalidRequestAlsoWithinTheWindow() {
        it.sends(write(Opcode.RDMA_WRITE_FIRST, 0, address(0), key, MTU + 10, pattern(5, MTU)))
                .sends(packet(Opcode.RDMA_WRITE_LAST, 1, pattern(6, 11)))
                .expects(nak(1, Syndrome.NAK_INVALID_REQUEST))
                .isUntouched(MTU, 4 * MTU);
        assertThat(window.life().get(0).end()).isNull();
    }

    @Test
    @Rule({"MW-110", "MW-107"})
    void rangeOfALongWriteIsCheckedAsAWholeWithItsFirstPacket() {
        it.sends(write(Opcode.RDMA_WRITE_FIRST, 0, address(0), key, 4 * MTU + 1, pattern(5, MTU)))
                .expects(nak(0, Syndrome.NAK_REMOTE_ACCESS))
                .isUntouched(0, 8 * MTU);
        assertDenied("MW-107", "window 1");
    }

    /** The window was bound again, with the same key, when the message came a second time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"MW-89", "T-03", "DUP-01", "MW-84"})
    void duplicateOfASendWithInvalidateIsOnlyAcknowledgedAgain(boolean several) {
        it.postsReceive(50, it.side.sge(INBOX, 2 * MTU)).postsReceive(51, it.side.sge(INBOX, 2 * MTU));
        int last = several ? 1 : 0;
        sendWithInvalidate(several);
        it.expects(ack(last));
        WorkCompletion received = it.received();
        assertThat(received).isSuccess().hasId(50).hasFlags(WcFlags.WITH_INV);
        assertThat(received.invalidatedKey()).isEqualTo(key);

        assertThat(bind(ELSEWHERE, MTU)).isEqualTo(key);
        sendWithInvalidate(several);
        it.expects(ack(last)).completesNothing();
        assertThat(window.life()).hasSize(2);
        assertThat(window.life().get(1).end()).isNull();
        it.sends(write(Opcode.RDMA_WRITE_ONLY, last + 1, address(ELSEWHERE), key, 8, pattern(1, 8))
                        .ackRequest(true))
                .expects(ack(last + 1))
                .remembers(ELSEWHERE, pattern(1, 8));
    }

    private void sendWithInvalidate(boolean several) {
        if (several) {
            it.sends(packet(Opcode.SEND_FIRST, 0, pattern(0, MTU)));
        }
        it.sends(invalidating(
                several ? Opcode.SEND_LAST_WITH_INVALIDATE : Opcode.SEND_ONLY_WITH_INVALIDATE, several ? 1 : 0));
    }

    private Packet invalidating(Opcode opcode, int psn) {
        return packet(opcode, psn, pattern(3, 8)).invalidateKey(key).ackRequest(true);
    }

    /** Everything else about the message is judged before the invalidation is tried. */
    @Test
    @Rule({"MW-84", "WC-20"})
    void messageThatIsTooLongInvalidatesNothing() {
        it.postsReceive(50, it.side.sge(INBOX, 7));
        it.sends(invalidating(Opcode.SEND_ONLY_WITH_INVALIDATE, 0)).expects(nak(0, Syndrome.NAK_INVALID_REQUEST));
        assertThat(it.received()).hasStatus(WcStatus.LOC_LEN_ERR).hasId(50);
        assertThat(window.life().get(0).end()).isNull();
    }

    @Test
    @Rule({"MW-84", "WC-21"})
    void messageThatCannotBePlacedInvalidatesNothing() {
        it.postsReceive(50, new Sge(it.side.address(0), 8, 0x77));
        it.sends(invalidating(Opcode.SEND_ONLY_WITH_INVALIDATE, 0)).expects(nak(0, Syndrome.NAK_REMOTE_OPERATIONAL));
        assertThat(it.received()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(50);
        assertThat(window.life().get(0).end()).isNull();
    }

    @Test
    @Rule({"MW-87", "RT-04"})
    void messageThatIsTurnedAwayInvalidatesWhenItComesAgain() {
        it.sends(invalidating(Opcode.SEND_ONLY_WITH_INVALIDATE, 0)).expects(rnr(0, RNR_TIMER));
        assertThat(window.life().get(0).end()).isNull();
        it.postsReceive(50, it.side.sge(INBOX, 8));
        it.sends(invalidating(Opcode.SEND_ONLY_WITH_INVALIDATE, 0)).expects(ack(0));
        assertThat(it.received()).isSuccess().hasFlags(WcFlags.WITH_INV).hasByteLength(8);
        assertThat(window.life().get(0).end()).contains("SEND_WITH_INV");
    }

    /** What came before it still gets its answers; it and what follows get none, however often they come. */
    @Test
    @Rule({"MW-85", "MW-86", "WC-35", "WC-47"})
    void sendWithInvalidateOfABadKeyIsMetWithSilence() {
        it.postsReceive(50, it.side.sge(INBOX, 8));
        it.sends(
                readRequest(0, address(0), key, 2 * MTU),
                invalidating(Opcode.SEND_ONLY_WITH_INVALIDATE, 2).invalidateKey(key ^ 1),
                fetchAdd(3, address(0), key, 1));
        assertThat(it.received())
                .hasStatus(WcStatus.REM_INV_REQ_ERR)
                .hasId(50)
                .isExplainedBy("MW-85", String.format("0x%08x", key ^ 1));
        assertState(it.side.qp, QpState.ERR);
        it.expects(
                        readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0, pattern(0, MTU)),
                        readResponse(Opcode.RDMA_READ_RESPONSE_LAST, 1, pattern(MTU, MTU)))
                .expectsNothing();
        it.sends(invalidating(Opcode.SEND_ONLY_WITH_INVALIDATE, 2).invalidateKey(key ^ 1))
                .sends(invalidating(Opcode.SEND_ONLY_WITH_INVALIDATE, 2))
                .expectsNothing()
                .raisesNothing()
                .isUntouched(0, 8);
        assertThat(window.life().get(0).end()).isNull();
    }

    @Test
    @Rule({"MW-91", "MW-84"})
    void keyRidesOnTheLastPacketOnly() {
        it.posts(SendWorkRequest.sendWithInvalidate(4, 0x12345678, it.side.sge(0, MTU + 8)));
        it.expects(
                packet(Opcode.SEND_FIRST, 0, pattern(0, MTU)),
                packet(Opcode.SEND_LAST_WITH_INVALIDATE, 1, pattern(MTU, 8))
                        .invalidateKey(0x12345678)
                        .ackRequest(true));
        it.posts(SendWorkRequest.sendWithInvalidate(5, -1));
        it.expects(packet(Opcode.SEND_ONLY_WITH_INVALIDATE, 2).invalidateKey(-1).ackRequest(true));
        it.sends(ack(2));
        assertThat(it.sent()).isSuccess().hasId(4).hasOpcode(WcOpcode.SEND);
        assertThat(it.sent()).isSuccess().hasId(5).hasOpcode(WcOpcode.SEND);
    }

    @Test
    @Rule({"MW-63", "ORD-10"})
    void bindBehindAnUnacknowledgedSendHasItsEffectAndCompletesBehindIt() {
        it.posts(SendWorkRequest.localInvalidate(2, key)).expectsNothing();
        assertThat(it.sent()).isSuccess();
        it.posts(SendWorkRequest.send(3, it.side.sge(0, 8)));
        it.posts(
                SendWorkRequest.bindWindow(4, window, 7, new BindInfo(region, address(0), 8, AccessFlags.REMOTE_READ)));
        it.posts(SendWorkRequest.send(5));
        it.expects(
                packet(Opcode.SEND_ONLY, 0, pattern(0, 8)).ackRequest(true),
                packet(Opcode.SEND_ONLY, 1).ackRequest(true));
        assertThat(window.life()).hasSize(2);
        it.completesNothing();
        it.sends(ack(0));
        assertThat(it.sent()).isSuccess().hasId(3);
        assertThat(it.sent()).isSuccess().hasId(4).hasOpcode(WcOpcode.BIND_MW);
        it.completesNothing().sends(ack(1));
        assertThat(it.sent()).isSuccess().hasId(5);
    }

    /** What is sent again is sent again, but a bind is not made again. */
    @Test
    @Rule({"MW-63", "RT-05"})
    void requestsAroundABindAreSentAgainWithoutIt() {
        invalidate();
        it.posts(SendWorkRequest.send(3));
        it.posts(
                SendWorkRequest.bindWindow(4, window, 7, new BindInfo(region, address(0), 8, AccessFlags.REMOTE_READ)));
        it.posts(SendWorkRequest.send(5));
        it.expects(
                packet(Opcode.SEND_ONLY, 0).ackRequest(true),
                packet(Opcode.SEND_ONLY, 1).ackRequest(true));
        it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE));
        it.expects(
                packet(Opcode.SEND_ONLY, 0).ackRequest(true),
                packet(Opcode.SEND_ONLY, 1).ackRequest(true));
        assertThat(window.life()).hasSize(2);
        it.sends(ack(1));
        assertThat(it.sent()).isSuccess().hasId(3);
        assertThat(it.sent()).isSuccess().hasId(4);
        assertThat(it.sent()).isSuccess().hasId(5);
        it.completesNothing();
    }

    /** A bind has failed and waits for the SEND before it to complete; what is sent again does not lead past it. */
    @Test
    @Rule({"MW-71", "WC-05", "ORD-10"})
    void requestBehindAFailedBindIsNeverSentAlsoWhenOneBeforeItIsSentAgain() {
        it.posts(SendWorkRequest.send(3));
        it.posts(
                SendWorkRequest.bindWindow(4, window, 7, new BindInfo(region, address(0), 8, AccessFlags.REMOTE_READ)));
        it.posts(SendWorkRequest.send(5));
        it.expects(packet(Opcode.SEND_ONLY, 0).ackRequest(true)).expectsNothing();
        it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE));
        it.expects(packet(Opcode.SEND_ONLY, 0).ackRequest(true)).expectsNothing();
        it.completesNothing().sends(ack(0));
        assertThat(it.sent()).isSuccess().hasId(3);
        assertThat(it.sent()).hasStatus(WcStatus.MW_BIND_ERR).hasId(4).isExplainedBy("MW-45");
        assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(5);
        it.expectsNothing();
        assertState(it.side.qp, QpState.ERR);
    }

    /** A READ that comes again is fetched again, but not from what the same key stands for now. */
    @Test
    @Rule({"MW-92", "DUP-02", "MW-33"})
    void repeatedReadIsNotAnsweredFromTheNextBindingWithTheSameKey() {
        it.sends(readRequest(0, address(0), key, 8))
                .expects(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 0, pattern(0, 8)));
        invalidate();
        assertThat(bind(0, 4 * MTU)).isEqualTo(key);
        it.sends(readRequest(0, address(0), key, 8)).expects(nak(0, Syndrome.NAK_REMOTE_ACCESS));
        assertDenied("MW-92", "binding 1");
    }

    @Test
    @Rule({"ORD-18", "ORD-10", "MW-80"})
    void localInvalidationWaitsUntilEverythingBeforeItHasCompleted() {
        it.posts(SendWorkRequest.send(3), SendWorkRequest.localInvalidate(4, key), SendWorkRequest.send(5));
        it.expects(packet(Opcode.SEND_ONLY, 0).ackRequest(true)).expectsNothing();
        assertThat(window.life().get(0).end()).isNull();
        it.sends(ack(0)).expects(packet(Opcode.SEND_ONLY, 1).ackRequest(true));
        assertThat(window.life().get(0).end()).contains("LOCAL_INV");
        assertThat(it.sent()).isSuccess().hasId(3);
        assertThat(it.sent()).isSuccess().hasId(4).hasOpcode(WcOpcode.LOCAL_INV);
    }

    @Test
    @Rule({"ORD-17", "ORD-16", "MW-33"})
    void whatFollowsAnInvalidationFindsTheKeyDead() {
        it.posts(
                SendWorkRequest.localInvalidate(3, key).unsignaled(),
                SendWorkRequest.bindWindow(
                                4, window, VARIANT, new BindInfo(region, address(0), 8, AccessFlags.REMOTE_READ))
                        .unsignaled(),
                SendWorkRequest.localInvalidate(5, key).unsignaled(),
                SendWorkRequest.send(6));
        it.expects(packet(Opcode.SEND_ONLY, 0).ackRequest(true));
        assertThat(window.life()).hasSize(2).allMatch(binding -> binding.end() != null);
        it.sends(ack(0));
        assertThat(it.sent()).isSuccess().hasId(6);
    }

    /** Elements, remote address and INLINE mean nothing to it, whatever they are. */
    @Test
    @Rule({"WR-39", "MW-80"})
    void fieldsThatAnInvalidationDoesNotUseAreIgnored() {
        Sge[] tooMany = new Sge[it.side.qp.initAttributes().capabilities().maxSendSge() + 1];
        Arrays.fill(tooMany, new Sge(1, 1, 1));
        it.posts(SendWorkRequest.of(3, WrOpcode.LOCAL_INV, 7, 8, 9, 10, key, tooMany)
                .plus(SendFlags.INLINE | SendFlags.SOLICITED));
        it.expectsNothing();
        assertThat(it.sent()).isSuccess().hasId(3).hasOpcode(WcOpcode.LOCAL_INV);
        assertThat(window.life().get(0).end()).contains("LOCAL_INV");
    }
}
