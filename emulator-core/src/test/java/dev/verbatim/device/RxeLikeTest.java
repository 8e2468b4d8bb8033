// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What was measured of soft-RoCE, fact by fact: what RXE_LIKE has of it, what the strict device has instead, and what neither has
 * because it is a mistake ({@code docs/profiles.md}). Left is the requester, right owns the memory and the windows.
 */
class RxeLikeTest extends RxeLikeFixture {

    private static final DeviceProfile STRICT = DeviceProfile.STRICT_IBTA;

    private SendWorkRequest badWrite(long id) {
        return SendWorkRequest.write(id, right.address(0), NO_KEY, left.sge(0, 8));
    }

    // Mistakes that no profile has.

    @Test
    @Rule({"MW-82", "MW-85"})
    void invalidatingAWindowThatWasNeverBoundIsAnErrorAndNoPanic() {
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
        assertThat(bench.invalidate(bench.anotherQueuePair(), window.rkey())).hasStatus(WcStatus.LOC_QP_OP_ERR);
        right.qp.postRecv(ReceiveWorkRequest.of(1));
        assertThat(outcome(SendWorkRequest.sendWithInvalidate(2, window.rkey())))
                .isEqualTo(WcStatus.SUCCESS);
        assertThat(right.received()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        window.close();
    }

    @Test
    @Rule("MW-107")
    void windowEndsWhereItWasBoundTo() {
        MemoryRegion region = bench.region();
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
        BindInfo part = new BindInfo(region, region.address(), 64, AccessFlags.REMOTE_WRITE);
        int key = bench.bind(window, 0x41, part);
        assertThat(bench.write(region.address() + 56, key, 8)).isEqualTo(WcStatus.SUCCESS);
        assertThat(bench.write(region.address() + 57, key, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Rule("MW-95")
    void queuePairUnderABoundWindowGoesAtOnce() {
        bench.bind(bench.window(MemoryWindowType.TYPE_2), 0x41, BindInfo.of(bench.region(), AccessFlags.REMOTE_WRITE));
        right.qp.close();
        assertRefused(Errno.ENOENT, "QP-05", right.qp::query);
    }

    @Test
    @Rule({"MW-84", "WC-02"})
    void flagsOfCompletionsAreThoseOfTheLibrary() {
        int key = bench.bind(
                bench.window(MemoryWindowType.TYPE_2), 0x41, BindInfo.of(bench.region(), AccessFlags.REMOTE_WRITE));
        right.qp.postRecv(ReceiveWorkRequest.of(1));
        right.qp.postRecv(ReceiveWorkRequest.of(2));
        left.qp.postSend(SendWorkRequest.sendWithInvalidate(3, key));
        left.qp.postSend(SendWorkRequest.sendWithImmediate(4, 7));
        assertThat(right.received()).isSuccess().hasFlags(WcFlags.WITH_INV | WcFlags.GRH);
        assertThat(right.received()).isSuccess().hasFlags(WcFlags.WITH_IMM | WcFlags.GRH);
        assertThat(left.sent()).isSuccess().hasId(3).hasFlags(0);
        assertThat(left.sent()).isSuccess().hasId(4).hasFlags(0);
    }

    @Test
    @Rule({"MW-24", "MW-20"})
    void bindOfNoRegionIsAnUnbindWithAndWithoutOne() {
        MemoryRegion region = bench.region();
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
        for (BindInfo nothing : List.of(BindInfo.NOTHING, new BindInfo(region, region.address(), 0, 0))) {
            int before = window.rkey();
            right.qp.bindWindow(window, WindowBind.signaled(1, nothing));
            assertThat(right.sent()).isSuccess();
            assertThat(window.rkey()).isEqualTo(Rkey.increment(before));
        }
        region.close();
    }

    @Test
    @Rule("QP-23")
    void receivePostedInErrIsFlushed() {
        right.qp.modify(new QpAttributes().state(QpState.ERR));
        right.qp.postRecv(ReceiveWorkRequest.of(1));
        assertThat(right.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(1);
    }

    @Test
    @Rule("WR-33")
    void readWithoutADepthFails() {
        QueuePair shallow = left.newQueuePair();
        RcConnection.USUAL.withDepth(0).join(shallow, right.newQueuePair());
        shallow.postSend(SendWorkRequest.read(1, right.address(0), right.rkey(), left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.LOC_QP_OP_ERR).isExplainedBy("WR-33");
    }

    @Test
    @Rule({"MW-12", "MW-25", "MW-59"})
    void domainsAndTypesAreComparedAtABind() {
        MemoryRegion foreign =
                right.device.allocatePd().register(bench.memory, bench.region().access());
        BindInfo info = BindInfo.of(foreign, AccessFlags.REMOTE_WRITE);
        MemoryWindow one = bench.window(MemoryWindowType.TYPE_1);
        assertRefused(Errno.EPERM, "MW-12", () -> right.qp.bindWindow(one, WindowBind.signaled(1, info)));
        assertRefused(Errno.EINVAL, "MW-25", () -> right.qp.postSend(SendWorkRequest.bindWindow(2, one, 1, info)));
        right.qp.postSend(SendWorkRequest.bindWindow(3, bench.window(MemoryWindowType.TYPE_2), 1, info));
        assertThat(right.sent()).hasStatus(WcStatus.MW_BIND_ERR);
    }

    @Test
    @Rule({"QV-04", "QV-07"})
    void attributesOutOfRangeAreRefused() {
        QueuePair fresh = right.newQueuePair();
        assertRefused(
                Errno.EINVAL,
                "QV-07",
                () -> fresh.modify(new QpAttributes()
                        .state(QpState.INIT)
                        .pkeyIndex(1)
                        .portNumber(1)
                        .accessFlags(0)));
        assertThat(right.device.query().maxQpRdAtom()).isEqualTo(128);
        assertThat(right.device.query().maxQpInitRdAtom()).isEqualTo(128);
        assertRefused(
                Errno.EINVAL, "QV-04", () -> RcConnection.USUAL.withDepth(129).join(fresh, fresh));
    }

    // What differs from the rules, and programs meet.

    @ParameterizedTest
    @ValueSource(strings = {"RXE_LIKE", "STRICT_IBTA"})
    @Rule("RT-02")
    void sevenRetriesAreWithoutEndOnlyOnSoftRoce(String profile) {
        on(DeviceProfile.named(profile));
        QueuePair alone = left.newQueuePair();
        QueuePair gone = right.newQueuePair();
        RcConnection.USUAL.withRetries(14, 7, 7, 12).join(alone, gone);
        gone.close();
        alone.postSend(write(1));
        if (profile.equals("STRICT_IBTA")) {
            assertThat(left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        } else {
            assertRefused(Errno.ETIMEDOUT, "AE-20", () -> left.device.getAsyncEvent(Duration.ofSeconds(20)));
            assertThat(left.sendCq.poll(1)).isEmpty();
            assertState(alone, QpState.RTS);
        }
    }

    @Test
    @Rule({"WC-20", "WC-21"})
    void receiveThatDoesNotDoIsCalledOtherwise() {
        for (DeviceProfile profile : new DeviceProfile[] {RXE, STRICT}) {
            boolean rxe = profile.equals(RXE);
            on(profile);
            right.qp.postRecv(ReceiveWorkRequest.of(1, right.sge(0, 4)));
            WcStatus sent = outcome(SendWorkRequest.send(2, left.sge(0, 8)));
            assertThat(sent).isEqualTo(rxe ? WcStatus.REM_OP_ERR : WcStatus.REM_INV_REQ_ERR);
            assertThat(right.received()).hasStatus(rxe ? WcStatus.LOC_QP_OP_ERR : WcStatus.LOC_LEN_ERR);
            bothIn(QpState.ERR, QpState.ERR);

            on(profile);
            right.qp.postRecv(ReceiveWorkRequest.of(1, new Sge(right.address(0), 8, NO_KEY)));
            assertThat(outcome(SendWorkRequest.send(2, left.sge(0, 8)))).isEqualTo(WcStatus.REM_OP_ERR);
            assertThat(right.received()).hasStatus(rxe ? WcStatus.LOC_QP_OP_ERR : WcStatus.LOC_PROT_ERR);
            bothIn(QpState.ERR, QpState.ERR);
        }
    }

    @Test
    @Rule({"WC-29", "WC-30", "QP-30"})
    void sendOfWhatItMayNotReadIsCalledOtherwiseIfItsKeyIsWrong() {
        for (DeviceProfile profile : new DeviceProfile[] {RXE, STRICT}) {
            WcStatus ofKey = profile.equals(RXE) ? WcStatus.LOC_QP_OP_ERR : WcStatus.LOC_PROT_ERR;
            on(profile);
            assertLocal(ofKey, SendWorkRequest.write(1, right.address(0), right.rkey(), new Sge(0, 8, NO_KEY)));
            on(profile);
            Sge beyond = new Sge(left.address(Side.REGION_BYTES - 4), 8, left.region.lkey());
            assertLocal(WcStatus.LOC_PROT_ERR, SendWorkRequest.send(2, beyond));
            on(profile);
            assertLocal(
                    WcStatus.LOC_PROT_ERR,
                    SendWorkRequest.read(3, right.address(0), right.rkey(), new Sge(0, 8, NO_KEY)));
        }
    }

    private void assertLocal(WcStatus wanted, SendWorkRequest request) {
        left.qp.postSend(request);
        assertThat(left.sent()).hasStatus(wanted);
        bothIn(QpState.ERR, QpState.RTS);
    }

    @Test
    @Rule({"MW-85", "WC-35"})
    void messageThatCannotInvalidateIsAcknowledged() {
        right.qp.postRecv(ReceiveWorkRequest.of(1));
        assertThat(outcome(SendWorkRequest.sendWithInvalidate(2, NO_KEY))).isEqualTo(WcStatus.SUCCESS);
        assertThat(right.received()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        bothIn(QpState.RTS, QpState.ERR);
    }

    @Test
    @Rule("WC-23")
    void violationsRaiseNoEventsButQueuesAndDrainsDo() {
        assertThat(outcome(badWrite(1))).isEqualTo(WcStatus.REM_ACCESS_ERR);
        bothIn(QpState.ERR, QpState.ERR);
        assertThat(right.device.pollAsyncEvent()).isNull();
        QueuePair drained = bench.anotherQueuePair();
        drained.modify(new QpAttributes().state(QpState.SQD).notifyDrained(true));
        AsyncEvent event = right.device.pollAsyncEvent();
        assertThat(event).extracting(AsyncEvent::type).isEqualTo(EventType.SQ_DRAINED);
        event.acknowledge();
    }

    @Test
    @Rule("AE-05")
    void firstPacketRaisesNoEvent() {
        for (DeviceProfile profile : new DeviceProfile[] {RXE, STRICT}) {
            on(profile);
            QueuePair sender = left.newQueuePair();
            QueuePair waiting = right.newQueuePair();
            RcConnection usual = RcConnection.USUAL;
            usual.readyToReceive(waiting, new RcConnection.Endpoint(left.device.gid(), sender.number(), 0));
            usual.readyToReceive(sender, new RcConnection.Endpoint(right.device.gid(), waiting.number(), 0));
            usual.readyToSend(sender, 0);
            sender.postSend(write(1));
            assertThat(left.sent()).isSuccess();
            assertThat(right.device.pollAsyncEvent() == null).isEqualTo(profile.equals(RXE));
        }
    }

    @Test
    @Rule({"CQ-03", "AE-01"})
    void overrunDropsWhatDoesNotFitAndTellsOfEach() {
        CompletionQueue small = left.device.createCq(3);
        QueuePair sender = left.pd.createQp(QpInitAttributes.rc(small, left.recvCq, QpCapabilities.USUAL));
        RcConnection.USUAL.join(sender, right.newQueuePair());
        for (int id = 1; id <= 5; id++) {
            sender.postSend(write(id));
        }
        sender.postSend(write(6).unsignaled());
        for (int i = 0; i < 2; i++) {
            AsyncEvent event = left.device.getAsyncEvent(Duration.ofSeconds(1));
            assertThat(event).extracting(AsyncEvent::type).isEqualTo(EventType.CQ_ERR);
            event.acknowledge();
        }
        assertThat(left.device.pollAsyncEvent()).isNull();
        assertThat(small.poll(9)).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L);
        assertState(sender, QpState.RTS);
        sender.postSend(write(7));
        assertThat(small.awaitCompletion(Duration.ofSeconds(1))).isSuccess().hasId(7);
    }

    @Test
    @Rule("MW-81")
    void windowIsInvalidatedOverAnyQueuePair() {
        BindInfo info = BindInfo.of(bench.region(), AccessFlags.REMOTE_WRITE);
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
        QueuePair other = bench.anotherQueuePair();
        assertThat(bench.invalidate(other, bench.bind(window, 0x41, info))).isSuccess();
        on(STRICT);
        int key = bench.bind(
                bench.window(MemoryWindowType.TYPE_2), 0x41, BindInfo.of(bench.region(), AccessFlags.REMOTE_WRITE));
        assertThat(bench.invalidate(bench.anotherQueuePair(), key)).hasStatus(WcStatus.MW_BIND_ERR);
    }

    @Test
    @Rule({"WR-34", "WR-35"})
    void atomicsAreCheckedWhenTheyArePosted() {
        long address = right.address(0);
        assertRefused(Errno.EINVAL, "WR-35", () -> left.qp.postSend(add(address + 4, 8)), "multiple of 8");
        assertRefused(Errno.EINVAL, "WR-34", () -> left.qp.postSend(add(address, 4)));
        assertThat(outcome(add(address, 16))).isEqualTo(WcStatus.SUCCESS);
        on(STRICT);
        assertThat(outcome(add(right.address(4), 8))).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        bothIn(QpState.ERR, QpState.ERR);
    }

    private SendWorkRequest add(long address, int lengthBytes) {
        return SendWorkRequest.fetchAndAdd(1, address, right.rkey(), 1, left.sge(64, lengthBytes));
    }

    @Test
    @Rule({"WR-40", "UD-01"})
    void datagramsSeemToBeSentHoweverLong() {
        int queueKey = 0x1234;
        QueuePair[] ends = new QueuePair[2];
        for (int i = 0; i < ends.length; i++) {
            Side side = i == 0 ? left : right;
            ends[i] = side.pd.createQp(QpInitAttributes.ud(side.sendCq, side.recvCq, QpCapabilities.USUAL));
            new UdReadiness(queueKey).toRts(ends[i]);
        }
        ends[1].postRecv(ReceiveWorkRequest.of(1, right.sge(0, 8192)));
        for (int lengthBytes : new int[] {PathMtu.MTU_4096.bytes() + 1, 16}) {
            ends[0].postSend(SendWorkRequest.send(2, left.sge(0, lengthBytes))
                    .to(left.pd.createAddressHandle(AddressVector.to(right.device.gid())), ends[1].number(), queueKey));
            assertThat(left.sent()).isSuccess();
        }
        assertThat(right.received()).isSuccess().hasByteLength(40 + 16);
    }

    @Test
    @Rule({"QP-02", "CQ-01", "CQ-02", "SRQ-01", "SRQ-05", "WR-11"})
    void queuesAreRoundedUp() {
        QpCapabilities asked = new QpCapabilities(16, 15, 2, 3, 9);
        for (DeviceProfile profile : new DeviceProfile[] {RXE, STRICT}) {
            boolean rxe = profile.equals(RXE);
            on(profile);
            CompletionQueue cq = left.device.createCq(4);
            assertThat(cq.entries()).isEqualTo(rxe ? 7 : 4);
            cq.resize(8);
            assertThat(cq.entries()).isEqualTo(rxe ? 15 : 8);
            int most = left.device.query().maxCqe();
            assertThat(left.device.createCq(most).entries()).isEqualTo(most);
            QueuePair qp = left.pd.createQp(QpInitAttributes.rc(cq, cq, asked));
            QpCapabilities granted = qp.initAttributes().capabilities();
            assertThat(granted).isEqualTo(rxe ? new QpCapabilities(31, 15, 2, 3, 32) : asked);
            RcConnection.USUAL.join(qp, right.newQueuePair());
            for (int i = 0; i < granted.maxSendWr(); i++) {
                qp.postSend(write(i).unsignaled());
            }
            assertRefused(Errno.ENOMEM, "WR-11", () -> qp.postSend(write(99)));
            var srq = left.pd.createSrq(SrqInitAttributes.basic(4));
            assertThat(srq.query().maxWr()).isEqualTo(rxe ? 7 : 4);
            srq.modify(new SrqAttributes(9, 0, 0), SrqAttributes.MAX_WR);
            assertThat(srq.query().maxWr()).isEqualTo(rxe ? 15 : 9);
        }
        asserted();
    }

    // What soft-RoCE and the rules have alike.

    @Test
    @Rule({"KEY-01", "KEY-P5", "MR-13", "MW-20", "MW-21", "MW-31"})
    void keysHaveAnIndexAndAVariant() {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MemoryRegion region = bench.region(AccessFlags.REMOTE_READ);
            assertThat(region.rkey()).isEqualTo(region.lkey());
            indexes.add(region.rkey() >>> 8);
            region.close();
        }
        assertThat(indexes).isSorted().doesNotHaveDuplicates();
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
        assertThat(window.rkey() >>> 8).isGreaterThanOrEqualTo(0x8_0000);
        int first = window.rkey();
        QueuePair binder = bench.anotherQueuePair();
        MemoryRegion region = bench.region();
        binder.bindWindow(window, WindowBind.signaled(1, BindInfo.of(region, AccessFlags.REMOTE_READ)));
        binder.bindWindow(window, WindowBind.signaled(2, BindInfo.NOTHING));
        assertThat(window.rkey()).isEqualTo(first + 2);
        MemoryRegion noBind = right.pd.register(bench.memory, AccessFlags.LOCAL_WRITE);
        binder.bindWindow(window, WindowBind.signaled(3, BindInfo.of(noBind, AccessFlags.REMOTE_READ)));
        assertThat(window.rkey()).isEqualTo(first + 3);
        assertThat(right.sent()).isSuccess();
        assertThat(right.sent()).isSuccess();
        assertThat(right.sent()).hasStatus(WcStatus.MW_BIND_ERR);
        MemoryWindow two = bench.window(MemoryWindowType.TYPE_2);
        int before = two.rkey();
        assertThat(bench.bind(two, 0x41, BindInfo.of(region, AccessFlags.REMOTE_READ)))
                .isEqualTo(Rkey.withVariant(before, 0x41));
        assertThat(two.rkey()).isEqualTo(before);
    }

    @Test
    @Rule({"WC-05", "WR-16", "QP-22"})
    void afterAFailureEverythingIsFlushedInOrderSignaledOrNot() {
        for (int id = 1; id <= 2; id++) {
            left.qp.postRecv(ReceiveWorkRequest.of(10 + id));
            right.qp.postRecv(ReceiveWorkRequest.of(20 + id));
        }
        left.qp.postSend(List.of(write(1).unsignaled(), badWrite(2).unsignaled(), write(3).unsignaled(), write(4)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
        assertThat(left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        assertThat(left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(4);
        for (int id = 1; id <= 2; id++) {
            assertThat(left.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(10 + id);
            assertThat(right.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(20 + id);
        }
    }

    @Test
    @Rule({"WC-22", "WC-36", "QP-28", "RT-03"})
    void peerThatIsNotReadyOrNotThereKeepsItsState() {
        RcConnection brief = RcConnection.USUAL.withRetries(8, 1, 0, 1);
        QueuePair sender = left.newQueuePair();
        QueuePair receiver = right.newQueuePair();
        brief.join(sender, receiver);
        sender.postSend(SendWorkRequest.send(1, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.RNR_RETRY_EXC_ERR);
        assertState(receiver, QpState.RTS);
        for (QpState state : new QpState[] {QpState.ERR, QpState.RESET}) {
            QueuePair lone = left.newQueuePair();
            QueuePair peer = right.newQueuePair();
            brief.join(lone, peer);
            peer.modify(new QpAttributes().state(state));
            lone.postSend(write(2));
            assertThat(left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
            assertState(peer, state);
        }
    }

    @Test
    @Rule({"QP-20", "QP-21", "WR-10", "WR-11", "WR-22"})
    void postingIsRefusedAsTheRulesHaveIt() {
        QueuePair fresh =
                right.pd.createQp(QpInitAttributes.rc(right.sendCq, right.recvCq, new QpCapabilities(3, 1, 1, 1, 8)));
        assertRefused(Errno.EINVAL, "QP-20", () -> fresh.postSend(SendWorkRequest.send(1)));
        assertRefused(Errno.EINVAL, "QP-21", () -> fresh.postRecv(ReceiveWorkRequest.of(1)));
        QueuePair sender = left.newQueuePair();
        RcConnection.USUAL.join(fresh, sender);
        SendWorkRequest good = SendWorkRequest.write(1, left.address(0), left.rkey(), right.sge(0, 8));
        // There is room for an element, which holds 16 bytes inline.
        Sge one = right.sge(0, 1);
        SendWorkRequest wide = SendWorkRequest.write(2, left.address(0), left.rkey(), one, one);
        assertRefused(Errno.EINVAL, "WR-11", () -> fresh.postSend(wide));
        SendWorkRequest fat = SendWorkRequest.write(3, left.address(0), left.rkey(), right.sge(0, 17));
        assertRefused(Errno.EINVAL, "WR-22", () -> fresh.postSend(fat.plus(SendFlags.INLINE)));
        assertThat(assertRefused(Errno.EINVAL, "WR-11", () -> fresh.postSend(List.of(good, wide, good)))
                        .badRequest())
                .isEqualTo(1);
        assertThat(right.sent()).isSuccess().hasId(1);
        fresh.postSend(List.of(good.unsignaled(), good.unsignaled(), good.unsignaled()));
        assertRefused(Errno.ENOMEM, "WR-11", () -> fresh.postSend(good));
        fresh.postRecv(ReceiveWorkRequest.of(4));
        assertRefused(Errno.ENOMEM, "WR-11", () -> fresh.postRecv(ReceiveWorkRequest.of(5)));
    }
}
