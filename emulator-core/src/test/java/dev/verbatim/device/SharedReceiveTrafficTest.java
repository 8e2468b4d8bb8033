// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.verbatim.UdReadiness;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives of a shared queue under traffic: order, limits, errors and resets. */
class SharedReceiveTrafficTest extends SharedReceiveFixture {

    private static void assertLimitEvent(SharedReceiveQueue srq, @Nullable AsyncEvent event) {
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(EventType.SRQ_LIMIT_REACHED);
        assertThat(event.sharedReceiveQueue()).isSameAs(srq);
        assertThat(event.queuePair()).isNull();
        assertThat(event.completionQueue()).isNull();
        assertThat(srq.query().limit()).isZero();
        event.acknowledge();
        asserted();
    }

    // Consumption.

    @Test
    @Rule({"SRQ-02", "T-20", "ORD-30"})
    void fourQueuePairsTakeInOrderAndCompleteOnTheirOwnQueues() {
        SharedReceiveQueue srq = srq(64);
        List<QueuePair> peers = new ArrayList<>();
        List<QueuePair> users = new ArrayList<>();
        List<CompletionQueue> cqs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            CompletionQueue cq = right.device.createCq(64);
            QueuePair user = right.pd.createQp(
                    QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL).withSrq(srq));
            cqs.add(cq);
            users.add(user);
            peers.add(peerOf(user));
        }
        int[] order = {0, 1, 1, 2, 3, 0, 2, 2, 1, 3, 3, 0};
        for (int i = 0; i < order.length; i++) {
            srq.postRecv(ReceiveWorkRequest.of(100 + i, right.sge(8 * i, 8)));
        }
        for (int i = 0; i < order.length; i++) {
            left.bytes().putLong(0, 1000 + i);
            peers.get(order[i]).postSend(SendWorkRequest.send(i, left.sge(0, 8)));
            assertThat(left.sent()).isSuccess().hasId(i);
        }
        for (int i = 0; i < order.length; i++) {
            WorkCompletion got = cqs.get(order[i]).poll(1).get(0);
            assertThat(got).isSuccess().hasId(100 + i).hasOpcode(WcOpcode.RECV).hasByteLength(8);
            assertThat(got.qpNumber()).isEqualTo(users.get(order[i]).number());
            assertThat(right.bytes().getLong(8 * i)).isEqualTo(1000 + i);
        }
        for (CompletionQueue cq : cqs) {
            assertThat(cq.poll(1)).isEmpty();
        }
    }

    @Test
    @Rule({"SRQ-02", "SRQ-03"})
    void messageThatFindsNoReceiveIsAskedForAgain() {
        SharedReceiveQueue srq = srq(4);
        QueuePair user = user(srq);
        QueuePair peer = left.newQueuePair();
        RcPair.WITHOUT_TIMER.withRetries(0, 7, 7, 1).join(peer, user);
        peer.postSend(SendWorkRequest.send(1));
        assertThat(pair.tap.events(TraceEvent.PacketDropped.class)).isNotEmpty();
        assertThat(left.sendCq.poll(1)).isEmpty();
        srq.postRecv(ReceiveWorkRequest.of(7));
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess().hasId(7);
        // What was taken is told once, however often the message came.
        assertThat(pair.tap.events(TraceEvent.SharedReceiveTaken.class))
                .extracting(TraceEvent.SharedReceiveTaken::qp, TraceEvent.SharedReceiveTaken::workRequestId)
                .containsExactly(tuple(user.number(), 7L));
    }

    @Test
    @Rule({"SRQ-02", "SRQ-03", "UD-01", "QP-25", "WR-13"})
    void datagramsAndMessagesOfConnectionsTakeFromTheSameQueue() {
        SharedReceiveQueue srq = srq(8);
        QueuePair peer = peerOf(user(srq));
        QueuePair datagrams = right.pd.createQp(QpInitAttributes.ud(right.sendCq, right.recvCq, QpCapabilities.USUAL)
                .withSrq(srq));
        QueuePair sender = left.pd.createQp(QpInitAttributes.ud(left.sendCq, left.recvCq, QpCapabilities.USUAL));
        new UdReadiness(0x1234).toRts(sender, datagrams);
        AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        SendWorkRequest datagram = SendWorkRequest.send(1, left.sge(0, 8)).to(there, datagrams.number(), 0x1234);
        assertRefused(Errno.EINVAL, "WR-13", () -> datagrams.postRecv(ReceiveWorkRequest.of(1)), "type UD");

        // Nothing is there: it is dropped, and nobody is told.
        sender.postSend(datagram);
        assertThat(left.sent()).isSuccess();
        post(srq, 1, 1);
        srq.postRecv(ReceiveWorkRequest.of(2, right.sge(0, 48)));
        send(peer, 1);
        sender.postSend(datagram);
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess().hasId(1).hasByteLength(0);
        assertThat(right.received()).isSuccess().hasId(2).hasByteLength(48);

        // One that does not fit leaves the receive to the others.
        srq.postRecv(ReceiveWorkRequest.of(3, right.sge(0, 47)));
        sender.postSend(datagram);
        assertThat(left.sent()).isSuccess();
        datagrams.modify(new QpAttributes().state(QpState.ERR));
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_LAST_WQE_REACHED, datagrams);
        send(peer, 1);
        assertThat(right.received()).isSuccess().hasId(3);
        assertThat(right.recvCq.poll(1)).isEmpty();
    }

    // The limit.

    @Test
    @Rule({"SRQ-04", "SRQ-08", "AE-08", "TV-14"})
    void limitEventComesOnceWhenFewerAreLeft() {
        SharedReceiveQueue srq = srq(100);
        QueuePair peer = peerOf(user(srq));
        post(srq, 0, 100);
        srq.modify(SrqAttributes.ofLimit(50), SrqAttributes.LIMIT);
        assertThat(srq.query().limit()).isEqualTo(50);
        send(peer, 50);
        assertThat(right.device.pollAsyncEvent()).isNull();
        assertThat(srq.query().limit()).isEqualTo(50);
        send(peer, 1);
        assertLimitEvent(srq, right.device.pollAsyncEvent());
        send(peer, 49);
        assertThat(right.device.pollAsyncEvent()).isNull();
        TraceEvent.EventRaised raised =
                pair.tap.events(TraceEvent.EventRaised.class).get(0);
        assertThat(raised.srq()).isEqualTo(1);
        assertThat(raised.qp()).isZero();
    }

    @Test
    @Rule("SRQ-04")
    void limitThatIsArmedTooLateFiresAtTheNextReceive() {
        SharedReceiveQueue srq = srq(10);
        QueuePair peer = peerOf(user(srq));
        post(srq, 0, 3);
        srq.modify(SrqAttributes.ofLimit(7), SrqAttributes.LIMIT);
        assertThat(right.device.pollAsyncEvent()).isNull();
        send(peer, 1);
        assertLimitEvent(srq, right.device.pollAsyncEvent());
        srq.modify(SrqAttributes.ofLimit(2), SrqAttributes.LIMIT);
        srq.modify(SrqAttributes.ofLimit(0), SrqAttributes.LIMIT);
        send(peer, 2);
        assertThat(right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"SRQ-04", "AE-20"})
    void queueStaysWhileItsEventIsOwed() {
        SharedReceiveQueue srq = srq(10);
        QueuePair user = user(srq);
        QueuePair peer = peerOf(user);
        srq.modify(SrqAttributes.ofLimit(1), SrqAttributes.LIMIT);
        post(srq, 0, 1);
        send(peer, 1);
        AsyncEvent event = right.device.pollAsyncEvent();
        user.close();
        assertRefused(Errno.EBUSY, "AE-20", srq::close, "1 unacknowledged events");
        assertLimitEvent(srq, event);
        // One that nobody has read goes with its queue.
        SharedReceiveQueue other = srq(10);
        other.modify(SrqAttributes.ofLimit(1), SrqAttributes.LIMIT);
        QueuePair otherUser = user(other);
        post(other, 0, 1);
        send(peerOf(otherUser), 1);
        otherUser.close();
        other.close();
        assertThat(right.device.pollAsyncEvent()).isNull();
        srq.close();
    }

    // Failure.

    @Test
    @Rule({"SRQ-03", "QP-25", "AE-07", "T-15"})
    void queuePairThatFailsLeavesWhatItDidNotTake() {
        SharedReceiveQueue srq = srq(8);
        QueuePair first = user(srq);
        QueuePair second = user(srq);
        QueuePair peerOfSecond = peerOf(second);
        QueuePair peerOfFirst = peerOf(first);
        post(srq, 1, 3);
        send(peerOfFirst, 1);
        first.modify(new QpAttributes().state(QpState.ERR));
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_LAST_WQE_REACHED, first);
        assertThat(right.device.pollAsyncEvent()).isNull();
        assertThat(receivedIds()).containsExactly(1L);
        first.modify(new QpAttributes().state(QpState.ERR));
        assertThat(right.device.pollAsyncEvent()).isNull();
        send(peerOfSecond, 2);
        assertThat(receivedIds()).containsExactly(2L, 3L);
        assertState(second, QpState.RTS);

        // Once for each time it fails.
        first.modify(new QpAttributes().state(QpState.RESET));
        assertThat(right.device.pollAsyncEvent()).isNull();
        QueuePair again = peerOf(first);
        post(srq, 4, 1);
        send(again, 1);
        first.modify(new QpAttributes().state(QpState.ERR));
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_LAST_WQE_REACHED, first);
        right.qp.modify(new QpAttributes().state(QpState.ERR));
        assertThat(right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"SRQ-06", "PD-06", "WC-21", "QP-25"})
    void receiveBufferIsOfTheQueuesDomainAndRemoteKeysAreOfTheQueuePairs() {
        ProtectionDomain other = right.device.allocatePd();
        MemoryRegion ofOther = other.register(Memory.allocate(4096), Side.ALL_RIGHTS);
        SharedReceiveQueue srq = other.createSrq(SrqInitAttributes.basic(8));
        QueuePair user = right.pd.createQp(right.qp.initAttributes().withSrq(srq));
        QueuePair peer = peerOf(user);

        left.bytes().putLong(0, 42);
        srq.postRecv(ReceiveWorkRequest.of(1, ofOther.sge(0, 8)));
        peer.postSend(SendWorkRequest.send(1, left.sge(0, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess().hasId(1);
        assertThat(ofOther.memory().buffer().getLong(0)).isEqualTo(42);

        // Its elements are not looked at (WR-31).
        srq.postRecv(ReceiveWorkRequest.of(2));
        peer.postSend(SendWorkRequest.writeWithImmediate(2, right.address(8), right.rkey(), 5, left.sge(0, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess().hasId(2).hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(right.bytes().getLong(8)).isEqualTo(42);

        srq.postRecv(List.of(ReceiveWorkRequest.of(3, right.sge(0, 8)), ReceiveWorkRequest.of(4)));
        peer.postSend(SendWorkRequest.send(3, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_OP_ERR);
        assertThat(right.received()).hasId(3).hasStatus(WcStatus.LOC_PROT_ERR);
        assertState(user, QpState.ERR);
        assertEvent(right.device.pollAsyncEvent(), EventType.QP_LAST_WQE_REACHED, user);
        assertThat(right.recvCq.poll(1)).isEmpty();

        QueuePair second = right.pd.createQp(right.qp.initAttributes().withSrq(srq));
        QueuePair peerOfSecond = peerOf(second);
        peerOfSecond.postSend(
                SendWorkRequest.writeWithImmediate(4, ofOther.address(), ofOther.rkey(), 5, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertThat(right.received()).hasId(4).hasStatus(WcStatus.LOC_ACCESS_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 3000})
    @Rule({"SRQ-02", "WC-20"})
    void messageThatIsTooLongFailsTheReceiveThatItTook(int count) {
        SharedReceiveQueue srq = srq(8);
        QueuePair user = user(srq);
        QueuePair peer = peerOf(user);
        srq.postRecv(List.of(ReceiveWorkRequest.of(1, right.sge(0, count - 1)), ReceiveWorkRequest.of(2)));
        peer.postSend(SendWorkRequest.send(1, left.sge(0, count)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertThat(right.received()).hasId(1).hasStatus(WcStatus.LOC_LEN_ERR);
        send(peerOf(user(srq)), 1);
        assertThat(right.received()).isSuccess().hasId(2);
    }
}
