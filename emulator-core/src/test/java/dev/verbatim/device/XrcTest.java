// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** XRC, from one end to the other: an end that only sends, an end that only receives, and queues that each request names (XRC-01). */
class XrcTest {

    private static final int LONG = 5000;

    @AutoClose
    private final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);

    private final Side left = pair.left;
    private final Side right = pair.right;
    private final XrcDomain domain = right.device.openXrcDomain();
    private final SharedReceiveQueue srq = right.pd.createSrq(SrqInitAttributes.xrc(16, domain, right.recvCq));
    private final QueuePair sender = left.pd.createQp(QpInitAttributes.xrcSend(left.sendCq, QpCapabilities.USUAL));
    private final QueuePair receiver = domain.createQp(QpInitAttributes.xrcReceive());

    @BeforeEach
    void connect() {
        RcPair.WITHOUT_TIMER.join(sender, receiver);
        left.bytes().put(0, Packets.pattern(7, Side.REGION_BYTES));
    }

    private WorkCompletion sent(SendWorkRequest request) {
        sender.postSend(request.toSrq(srq.number()));
        return left.sent();
    }

    private void assertArrived(int from, int to, int count) {
        byte[] expected = new byte[count];
        byte[] actual = new byte[count];
        left.bytes().get(from, expected);
        right.bytes().get(to, actual);
        assertThat(actual).isEqualTo(expected);
        asserted();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, LONG})
    @Rule({"XRC-01", "SRQ-02"})
    void sendTakesAReceiveOfTheQueueThatItNames(int count) {
        srq.postRecv(ReceiveWorkRequest.of(100, right.sge(1000, LONG)));
        assertThat(sent(SendWorkRequest.send(1, left.sge(0, count))))
                .isSuccess()
                .hasId(1);
        WorkCompletion received = right.received();
        assertThat(received).isSuccess().hasId(100).hasOpcode(WcOpcode.RECV).hasByteLength(count);
        assertThat(received.qpNumber()).isEqualTo(receiver.number());
        assertArrived(0, 1000, count);
    }

    @Test
    @Rule("XRC-01")
    void immediateDataArrivesWithSendsAndWrites() {
        srq.postRecv(List.of(ReceiveWorkRequest.of(100, right.sge(1000, 8)), ReceiveWorkRequest.of(101)));
        assertThat(sent(SendWorkRequest.sendWithImmediate(1, 77, left.sge(0, 8))))
                .isSuccess();
        WorkCompletion first = right.received();
        assertThat(first).isSuccess().hasId(100).hasFlags(WcFlags.WITH_IMM);
        assertThat(first.immediate()).isEqualTo(77);
        assertThat(sent(SendWorkRequest.writeWithImmediate(2, right.address(0), right.rkey(), 78, left.sge(100, LONG))))
                .isSuccess();
        WorkCompletion second = right.received();
        assertThat(second)
                .isSuccess()
                .hasId(101)
                .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                .hasByteLength(LONG);
        assertThat(second.immediate()).isEqualTo(78);
        assertArrived(100, 0, LONG);
    }

    @Test
    @Rule("XRC-01")
    void writesReadsAndAtomicsWork() {
        assertThat(sent(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, LONG))))
                .isSuccess();
        assertArrived(0, 0, LONG);
        assertThat(sent(SendWorkRequest.read(2, right.address(0), right.rkey(), left.sge(20_000, LONG))))
                .isSuccess();
        assertArrived(20_000, 0, LONG);
        right.bytes().putLong(8, 5);
        assertThat(sent(SendWorkRequest.fetchAndAdd(3, right.address(8), right.rkey(), 2, left.sge(0, 8))))
                .isSuccess();
        assertThat(left.bytes().getLong(0)).isEqualTo(5);
        assertThat(sent(SendWorkRequest.compareAndSwap(4, right.address(8), right.rkey(), 7, 9, left.sge(0, 8))))
                .isSuccess();
        assertThat(right.bytes().getLong(8)).isEqualTo(9);
        assertThat(right.recvCq.poll(1)).isEmpty();
    }

    @Test
    @Rule({"XRC-01", "MR-41"})
    void remoteKeysAreOfTheDomainOfTheQueueThatIsNamed() {
        ProtectionDomain other = right.device.allocatePd();
        MemoryRegion ofOther = other.register(Memory.allocate(4096), Side.ALL_RIGHTS);
        SharedReceiveQueue second = other.createSrq(SrqInitAttributes.xrc(4, domain, right.recvCq));
        SendWorkRequest request = SendWorkRequest.write(1, ofOther.address(), ofOther.rkey(), left.sge(0, LONG / 2));
        sender.postSend(request.toSrq(second.number()));
        assertThat(left.sent()).isSuccess();
        sender.postSend(SendWorkRequest.read(2, ofOther.address(), ofOther.rkey(), left.sge(20_000, LONG / 2))
                .toSrq(second.number()));
        assertThat(left.sent()).isSuccess();
        sender.postSend(request.toSrq(srq.number()));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, receiver);
        assertState(receiver, QpState.ERR);
        // It was made with no queue: none is its last.
        assertThat(right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"XRC-01", "SRQ-06"})
    void receiveBufferIsOfTheDomainOfItsQueueAndItsCompletionGoesToItsQueue() {
        ProtectionDomain other = right.device.allocatePd();
        MemoryRegion ofOther = other.register(Memory.allocate(4096), Side.ALL_RIGHTS);
        CompletionQueue cq = right.device.createCq(8);
        SharedReceiveQueue second = other.createSrq(SrqInitAttributes.xrc(4, domain, cq));
        second.postRecv(
                List.of(ReceiveWorkRequest.of(1, ofOther.sge(0, 8)), ReceiveWorkRequest.of(2, right.sge(0, 8))));
        srq.postRecv(ReceiveWorkRequest.of(3, right.sge(0, 8)));
        sender.postSend(List.of(
                SendWorkRequest.send(1, left.sge(0, 8)).toSrq(second.number()),
                SendWorkRequest.send(2, left.sge(0, 8)).toSrq(srq.number()),
                SendWorkRequest.send(3, left.sge(0, 8)).toSrq(second.number())));
        assertThat(left.sent()).isSuccess();
        assertThat(left.sent()).isSuccess();
        assertThat(left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(right.received()).isSuccess().hasId(3);
        assertThat(cq.poll(1).get(0)).isSuccess().hasId(1);
        assertThat(cq.poll(1).get(0)).hasId(2).hasStatus(WcStatus.LOC_PROT_ERR);
    }

    @Test
    @Rule({"XRC-01", "WC-28"})
    void queueThatIsNotInTheDomainIsRefused() {
        SharedReceiveQueue elsewhere =
                right.pd.createSrq(SrqInitAttributes.xrc(4, right.device.openXrcDomain(), right.recvCq));
        elsewhere.postRecv(ReceiveWorkRequest.of(1));
        sender.postSend(SendWorkRequest.send(1).toSrq(elsewhere.number()));
        WorkCompletion failed = left.sent();
        assertThat(failed).hasStatus(WcStatus.REM_INV_REQ_ERR);
        var event = right.device.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.refusal()).isNotNull();
        assertThat(event.refusal().sentence()).contains("srq " + elsewhere.number());
        assertEvent(event, EventType.QP_REQ_ERR, receiver);
        assertThat(right.recvCq.poll(1)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "basic", "destroyed"})
    @Rule("XRC-01")
    void numberThatNamesNoXrcQueueIsRefused(String which) {
        int number = 0;
        if (which.equals("basic")) {
            right.pd.createSrq(SrqInitAttributes.basic(4));
            number = srq.number() + 1;
        } else if (which.equals("destroyed")) {
            number = srq.number();
            srq.close();
        }
        sender.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 8))
                .toSrq(number));
        assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_REQ_ERR, receiver);
    }

    @Test
    @Rule({"XRC-01", "WR-13", "WR-01"})
    void nothingIsPostedWhereThereIsNoQueue() {
        assertRefused(Errno.EINVAL, "WR-13", () -> receiver.postRecv(ReceiveWorkRequest.of(1)), "XRC_RECV");
        assertRefused(Errno.EINVAL, "WR-13", () -> sender.postRecv(ReceiveWorkRequest.of(1)), "XRC_SEND");
        assertRefused(Errno.EINVAL, "WR-01", () -> receiver.postSend(SendWorkRequest.send(1)), "XRC_RECV");
    }

    @Test
    @Rule({"XRC-01", "QP-04"})
    void endsOfAConnectionAreMadeWhereTheyBelong() {
        QpInitAttributes receives = QpInitAttributes.xrcReceive();
        assertRefused(Errno.EINVAL, "XRC-01", () -> right.pd.createQp(receives), "XRC_RECV");
        assertRefused(Errno.EINVAL, "XRC-01", () -> domain.createQp(left.qp.initAttributes()), "qp_type=RC");
        QpInitAttributes sends = QpInitAttributes.xrcSend(left.sendCq, new QpCapabilities(4, 1 << 30, 2, 1 << 30, 0));
        assertThat(left.pd.createQp(sends).initAttributes().capabilities())
                .isEqualTo(new QpCapabilities(4, 0, 2, 0, 0));
        SharedReceiveQueue basic = left.pd.createSrq(SrqInitAttributes.basic(1));
        assertRefused(Errno.EINVAL, "QP-04", () -> left.pd.createQp(sends.withSrq(basic)), "XRC_SEND");
        QpInitAttributes without =
                new QpInitAttributes(QpType.XRC_SEND, null, null, QpCapabilities.USUAL, false, null, null);
        assertRefused(Errno.EINVAL, "QP-04", () -> left.pd.createQp(without), "needs a completion queue");
        assertThat(receiver.initAttributes().capabilities()).isEqualTo(new QpCapabilities(0, 0, 0, 0, 0));
        assertThat(receiver.query().state()).isEqualTo(QpState.RTS);
        assertThat(right.device.query().capabilities() & DeviceCapabilities.XRC).isNotZero();
        assertThat(srq.number()).isEqualTo(1);
    }

    @Test
    @Rule({"XRC-01", "PD-04", "PD-01"})
    void domainStaysWhileItIsUsed() {
        assertRefused(Errno.EBUSY, "XRC-01", domain::close, "queue pairs=1", "shared receive queues=1");
        receiver.close();
        assertRefused(Errno.EBUSY, "XRC-01", domain::close, "queue pairs=0");
        CompletionQueue cq = right.device.createCq(4);
        SharedReceiveQueue second = right.pd.createSrq(SrqInitAttributes.xrc(4, domain, cq));
        srq.close();
        assertRefused(Errno.EBUSY, "PD-04", cq::close, "1 shared receive queues");
        second.close();
        cq.close();
        domain.close();
        assertRefused(Errno.ENOENT, "XRC-01", domain::close);
        assertRefused(Errno.ENOENT, "XRC-01", () -> domain.createQp(QpInitAttributes.xrcReceive()));
        assertRefused(Errno.ENOENT, "XRC-01", () -> right.pd.createSrq(SrqInitAttributes.xrc(4, domain, right.recvCq)));
        assertRefused(
                Errno.EINVAL,
                "XRC-01",
                () -> right.pd.createSrq(SrqInitAttributes.xrc(4, left.device.openXrcDomain(), right.recvCq)),
                "not of device");
    }

    @Test
    @Rule("XRC-01")
    void domainThatHasANameIsSharedUntilTheLastGivesItBack() {
        XrcDomain one = right.device.openXrcDomain("db");
        XrcDomain same = right.device.openXrcDomain("db");
        XrcDomain other = right.device.openXrcDomain("log");
        SharedReceiveQueue queue = right.pd.createSrq(SrqInitAttributes.xrc(4, one, right.recvCq));
        QueuePair inSame = same.createQp(QpInitAttributes.xrcReceive());
        QueuePair inOther = other.createQp(QpInitAttributes.xrcReceive());
        QueuePair toSame = left.pd.createQp(QpInitAttributes.xrcSend(left.sendCq, QpCapabilities.USUAL));
        QueuePair toOther = left.pd.createQp(QpInitAttributes.xrcSend(left.sendCq, QpCapabilities.USUAL));
        RcPair.WITHOUT_TIMER.join(toSame, inSame);
        RcPair.WITHOUT_TIMER.join(toOther, inOther);
        queue.postRecv(ReceiveWorkRequest.of(1));
        toSame.postSend(SendWorkRequest.send(1).toSrq(queue.number()));
        assertThat(left.sent()).isSuccess();
        toOther.postSend(SendWorkRequest.send(2).toSrq(queue.number()));
        assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        one.close();
        assertRefused(Errno.EBUSY, "XRC-01", same::close);
        inSame.close();
        queue.close();
        same.close();
        assertRefused(Errno.ENOENT, "XRC-01", one::close);
        XrcDomain anew = right.device.openXrcDomain("db");
        assertThat(anew).isNotSameAs(one);
        anew.close();
    }

    @Test
    @Rule("XRC-02")
    void windowOfTypeOneIsBoundOverTheSendingEnd() {
        // The other way round: the device on the right sends too, and lets the left read.
        QueuePair binder = right.pd.createQp(QpInitAttributes.xrcSend(right.sendCq, QpCapabilities.USUAL));
        XrcDomain leftDomain = left.device.openXrcDomain();
        RcPair.WITHOUT_TIMER.join(binder, leftDomain.createQp(QpInitAttributes.xrcReceive()));
        MemoryRegion region = right.pd.register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        BindInfo all = new BindInfo(region, region.address(), 64, AccessFlags.REMOTE_WRITE);
        MemoryWindow one = right.pd.allocateWindow(MemoryWindowType.TYPE_1);
        binder.bindWindow(one, new WindowBind(1, SendFlags.SIGNALED, all));
        assertThat(right.sent()).isSuccess().hasOpcode(WcOpcode.BIND_MW);
        assertThat(sent(SendWorkRequest.write(2, region.address(), one.rkey(), left.sge(0, 8))))
                .isSuccess();

        MemoryWindow two = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        SendWorkRequest bind = SendWorkRequest.bindWindow(3, two, 0x41, all);
        binder.postSend(bind);
        assertThat(right.sent()).isSuccess();
        assertThat(sent(SendWorkRequest.write(4, region.address(), bind.boundKey(), left.sge(0, 8))))
                .hasStatus(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Rule({"XRC-01", "MW-85"})
    void noKeyCanBeInvalidatedThroughAnEndThatBindsNone() {
        srq.postRecv(ReceiveWorkRequest.of(1));
        sender.postSend(SendWorkRequest.sendWithInvalidate(1, 0x8000_0141).toSrq(srq.number()));
        assertThat(right.received()).hasId(1).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertState(receiver, QpState.ERR);
    }

    @Test
    @Rule({"AE-09", "CQ-03", "AE-02"})
    void queueWhoseCompletionsHaveNoRoomBreaksDown() {
        CompletionQueue small = right.device.createCq(1);
        SharedReceiveQueue second = right.pd.createSrq(SrqInitAttributes.xrc(4, domain, small));
        second.postRecv(List.of(ReceiveWorkRequest.of(1), ReceiveWorkRequest.of(2), ReceiveWorkRequest.of(3)));
        sender.postSend(List.of(
                SendWorkRequest.send(1).toSrq(second.number()),
                SendWorkRequest.send(2).toSrq(second.number())));
        var cqError = right.device.pollAsyncEvent();
        assertThat(cqError).isNotNull();
        assertThat(cqError.type()).isEqualTo(EventType.CQ_ERR);
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_FATAL, receiver);
        var srqError = right.device.pollAsyncEvent();
        assertThat(srqError).isNotNull();
        assertThat(srqError.type()).isEqualTo(EventType.SRQ_ERR);
        assertThat(srqError.sharedReceiveQueue()).isSameAs(second);
        assertThat(srqError.refusal()).isNotNull();
        assertThat(right.device.pollAsyncEvent()).isNull();
        assertRefused(Errno.EIO, "AE-09", () -> second.postRecv(ReceiveWorkRequest.of(4)));
        // Another end of the domain does not find it any more, and works otherwise.
        QueuePair again = domain.createQp(QpInitAttributes.xrcReceive());
        QueuePair toAgain = left.pd.createQp(QpInitAttributes.xrcSend(left.sendCq, QpCapabilities.USUAL));
        RcPair.WITHOUT_TIMER.join(toAgain, again);
        srq.postRecv(ReceiveWorkRequest.of(5));
        toAgain.postSend(List.of(
                SendWorkRequest.send(6).toSrq(srq.number()),
                SendWorkRequest.send(7).toSrq(second.number())));
        assertThat(left.sent()).isSuccess().hasId(6);
        assertThat(left.sent()).hasId(7).hasStatus(WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    @Rule({"XRC-01", "PD-07"})
    void allOfADeviceCanBeClosedAtOnce() {
        srq.postRecv(ReceiveWorkRequest.of(1));
        right.device.closeAll();
        assertRefused(Errno.ENOENT, "PD-03", () -> srq.postRecv(ReceiveWorkRequest.of(2)));
        assertThat(pair.tap.events(TraceEvent.Decided.class))
                .extracting(TraceEvent.Decided::rule)
                .contains("PD-07");
    }
}
