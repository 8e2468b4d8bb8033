// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.uc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.write;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.wire.Opcode;
import org.junit.jupiter.api.Test;

/** What an unreliable connection sends, packet by packet, and when it is done with it. */
class UcRequesterTest {

    private static final QpAttributes TO_RTS = new QpAttributes().state(QpState.RTS);

    @Test
    @Rule({"UC-01", "ORD-10", "ORD-15", "ORD-20", "TX-01"})
    void requestIsDoneWhenItsLastPacketHasLeftAndNoAnswerIsAwaited() {
        try (Dialogue it = Dialogue.overUc()) {
            it.posts(
                    SendWorkRequest.send(1, it.side.sge(0, MTU + 3)),
                    SendWorkRequest.sendWithImmediate(2, 9, it.side.sge(5, 0)).plus(SendFlags.SOLICITED));
            it.completesNothing();
            it.expects(packet(Opcode.UC_SEND_FIRST, 0, pattern(0, MTU))).completesNothing();
            it.expects(packet(Opcode.UC_SEND_LAST, 1, pattern(MTU, 3)));
            assertThat(it.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.SEND);
            it.expects(packet(Opcode.UC_SEND_ONLY_WITH_IMM, 2).immediate(9).solicited(true))
                    .expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule({"UC-01", "WR-31", "PSN-01"})
    void writesNameTheirPlaceInTheirFirstPacketAndPsnsWrap() {
        try (Dialogue it =
                Dialogue.unconnected(DeviceProfile.STRICT_IBTA, QpType.UC).connect(Dialogue.UC, 0xfffffe, 0)) {
            it.posts(
                    SendWorkRequest.write(1, 0x5000, 77, it.side.sge(0, 2 * MTU + 1)),
                    SendWorkRequest.writeWithImmediate(2, 0x6000, 78, 9, it.side.sge(0, 4)));
            it.expects(
                    write(Opcode.UC_RDMA_WRITE_FIRST, 0xfffffe, 0x5000, 77, 2 * MTU + 1, pattern(0, MTU)),
                    packet(Opcode.UC_RDMA_WRITE_MIDDLE, 0xffffff, pattern(MTU, MTU)),
                    packet(Opcode.UC_RDMA_WRITE_LAST, 0, pattern(2 * MTU, 1)),
                    write(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMM, 1, 0x6000, 78, 4, pattern(0, 4))
                            .immediate(9));
            assertThat(it.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.RDMA_WRITE);
            assertThat(it.sent()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule({"WR-01", "MW-90"})
    void operationsThatNeedAnAnswerCannotBePosted() {
        try (Dialogue it = Dialogue.overUc()) {
            for (SendWorkRequest request : new SendWorkRequest[] {
                SendWorkRequest.read(1, 0x5000, 77, it.side.sge(0, 8)),
                SendWorkRequest.fetchAndAdd(1, 0x5000, 77, 1, it.side.sge(0, 8)),
                SendWorkRequest.compareAndSwap(1, 0x5000, 77, 1, 2, it.side.sge(0, 8)),
            }) {
                assertRefused(Errno.EINVAL, "WR-01", () -> it.posts(request), "UC");
            }
            assertRefused(
                    Errno.EINVAL,
                    "MW-90",
                    () -> it.posts(SendWorkRequest.sendWithInvalidate(1, 5, it.side.sge(0, 8))),
                    "SEND_WITH_INV");
            it.expectsNothing().completesNothing();
        }
    }

    @Test
    @Rule({"QS-06", "WC-05", "WC-29", "MR-42", "QP-22", "QP-23"})
    void failureTakesTheQueuePairToSqeWhereSendsAreFlushedAndReceivesGoOn() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(1000, 8));
            it.posts(
                    SendWorkRequest.send(1, it.side.sge(0, 8)).unsignaled(),
                    SendWorkRequest.send(2, new Sge(0, 8, 0xbad)).unsignaled(),
                    SendWorkRequest.send(3, it.side.sge(0, 8)).unsignaled());
            it.expects(packet(Opcode.UC_SEND_ONLY, 0, pattern(0, 8))).expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(2);
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
            assertState(it.side.qp, QpState.SQE);

            it.posts(SendWorkRequest.send(4, it.side.sge(0, 8)));
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(4);
            it.sends(packet(Opcode.UC_SEND_ONLY, 0, pattern(0, 8)));
            assertThat(it.received()).isSuccess().hasId(11);
            it.raisesNothing();

            it.side.qp.modify(TO_RTS);
            it.posts(SendWorkRequest.send(5, it.side.sge(0, 8)));
            it.expects(packet(Opcode.UC_SEND_ONLY, 1, pattern(0, 8)));
            assertThat(it.sent()).isSuccess().hasId(5);
        }
    }

    @Test
    @Rule({"QS-06", "MR-42"})
    void messageThatFailsHalfWayLeavesAGapBehindIt() {
        try (Dialogue it = Dialogue.overUc()) {
            MemoryRegion going = it.side.pd.register(Memory.allocate(4 * MTU), AccessFlags.LOCAL_WRITE);
            it.posts(SendWorkRequest.send(1, going.sge(0, 4 * MTU)));
            it.expects(packet(Opcode.UC_SEND_FIRST, 0, new byte[MTU]));
            going.close();
            it.expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
            assertState(it.side.qp, QpState.SQE);
            it.side.qp.modify(TO_RTS);
            it.posts(SendWorkRequest.send(2));
            it.expects(packet(Opcode.UC_SEND_ONLY, 4));
        }
    }

    @Test
    @Rule({"QP-26", "AE-06"})
    void drainSendsWhatWasStartedAndKeepsTheRest() {
        try (Dialogue it = Dialogue.overUc()) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 2 * MTU)), SendWorkRequest.send(2));
            it.expects(packet(Opcode.UC_SEND_FIRST, 0, pattern(0, MTU)));
            it.side.qp.modify(new QpAttributes().state(QpState.SQD).notifyDrained(true));
            assertRefused(Errno.EINVAL, "QS-09", () -> it.side.qp.modify(TO_RTS), "draining");
            it.raisesNothing();
            it.expects(packet(Opcode.UC_SEND_LAST, 1, pattern(MTU, MTU))).expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1);
            assertEvent(it.event(), EventType.SQ_DRAINED, it.side.qp);
            it.posts(SendWorkRequest.send(3));
            it.expectsNothing();
            it.side.qp.modify(TO_RTS);
            it.expects(packet(Opcode.UC_SEND_ONLY, 2), packet(Opcode.UC_SEND_ONLY, 3));
            assertThat(it.sent()).isSuccess().hasId(2);
            assertThat(it.sent()).isSuccess().hasId(3);
        }
    }

    @Test
    @Rule({"WR-22", "WR-20"})
    void inlineDataAreSentAsTheyWereAndAFenceHasNothingToWaitFor() {
        try (Dialogue it = Dialogue.overUc()) {
            it.posts(SendWorkRequest.send(1, new Sge(it.side.address(0), 8, 0xbad))
                    .plus(SendFlags.INLINE | SendFlags.FENCE));
            it.side.bytes().putLong(0, -1);
            it.expects(packet(Opcode.UC_SEND_ONLY, 0, pattern(0, 8)));
            assertThat(it.sent()).isSuccess().hasId(1);
        }
    }

    @Test
    @Rule({"WR-39", "ORD-16", "ORD-17", "MW-23", "MW-80"})
    void windowsAreBoundAndInvalidatedOverUc() {
        try (Dialogue it = Dialogue.overUc()) {
            MemoryRegion under = it.side.pd.register(
                    Memory.allocate(MTU), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.MW_BIND);
            BindInfo info = BindInfo.of(under, AccessFlags.REMOTE_WRITE);
            MemoryWindow one = it.side.pd.allocateWindow(MemoryWindowType.TYPE_1);
            MemoryWindow two = it.side.pd.allocateWindow(MemoryWindowType.TYPE_2);
            SendWorkRequest bind = SendWorkRequest.bindWindow(1, two, 0x41, info);
            it.posts(bind);
            it.side.qp.bindWindow(one, WindowBind.signaled(2, info));
            it.expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.BIND_MW);
            assertThat(it.sent()).isSuccess().hasId(2).hasOpcode(WcOpcode.BIND_MW);
            it.sends(
                    write(Opcode.UC_RDMA_WRITE_ONLY, 0, under.address(), bind.boundKey(), 4, pattern(0, 4)),
                    write(Opcode.UC_RDMA_WRITE_ONLY, 1, under.address() + 4, one.rkey(), 4, pattern(4, 4)));
            byte[] placed = new byte[12];
            under.memory().buffer().get(0, placed);
            org.assertj.core.api.Assertions.assertThat(placed).startsWith(pattern(0, 8));

            it.posts(SendWorkRequest.localInvalidate(3, bind.boundKey()));
            it.expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(3);
            it.sends(write(Opcode.UC_RDMA_WRITE_ONLY, 2, under.address() + 8, bind.boundKey(), 4, pattern(0, 4)));
            under.memory().buffer().get(0, placed);
            org.assertj.core.api.Assertions.assertThat(placed).endsWith(new byte[4]);
            assertState(it.side.qp, QpState.RTS);

            it.posts(SendWorkRequest.localInvalidate(4, bind.boundKey()));
            it.expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.MW_BIND_ERR).hasId(4);
            assertState(it.side.qp, QpState.SQE);
        }
    }
}
