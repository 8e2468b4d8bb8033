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
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.DeviceCapabilities;
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
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared receive queues and the RC queue pairs that use them. */
class SharedReceiveQueueTest {

    private final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);
    private final Side left = pair.left;
    private final Side right = pair.right;

    @AfterEach
    void close() {
        pair.close();
    }

    private SharedReceiveQueue srq(int maxWr) {
        return right.pd.createSrq(SrqInitAttributes.basic(maxWr));
    }

    private QueuePair user(SharedReceiveQueue srq) {
        return right.pd.createQp(right.qp.initAttributes().withSrq(srq));
    }

    /** A queue pair on the left that is connected to this one. */
    private QueuePair peerOf(QueuePair user) {
        QueuePair peer = left.newQueuePair();
        RcPair.WITHOUT_TIMER.join(peer, user);
        return peer;
    }

    private static void post(SharedReceiveQueue srq, int from, int count) {
        for (int id = from; id < from + count; id++) {
            srq.postRecv(ReceiveWorkRequest.of(id));
        }
    }

    private void send(QueuePair peer, int count) {
        for (int i = 0; i < count; i++) {
            peer.postSend(SendWorkRequest.send(i));
            assertThat(left.sent()).isSuccess();
        }
    }

    private List<Long> receivedIds() {
        return right.recvCq.poll(1 << 10).stream().map(WorkCompletion::id).toList();
    }

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

    // Creation, query, modification, destruction.

    @Test
    @Rule({"SRQ-01", "SRQ-08"})
    void newQueueHasWhatWasAskedForAndNoLimit() {
        SharedReceiveQueue srq =
                right.pd.createSrq(new SrqInitAttributes(new SrqAttributes(10, 3, 7), null, null, "mine"));
        assertThat(srq.query()).isEqualTo(new SrqAttributes(10, 3, 0));
        assertThat(srq.context()).isEqualTo("mine");
        assertThat(srq.pd()).isSameAs(right.pd);
        assertRefused(Errno.EINVAL, "XRC-01", srq::number, "not of type XRC");
        asserted();
    }

    @ParameterizedTest
    @CsvSource({"0,1,max_wr=0", "-1,1,max_wr=-1", "32769,1,max_wr=32769", "1,33,max_sge=33", "1,-1,max_sge=-1"})
    @Rule("SRQ-01")
    void sizesBeyondTheLimitsAreRefused(int maxWr, int maxSge, String word) {
        DeviceAttributes limits = right.device.query();
        assertThat(limits.maxSrqWr()).isEqualTo(32768);
        assertThat(limits.maxSrqSge()).isEqualTo(32);
        SrqAttributes sizes = new SrqAttributes(maxWr, maxSge, 0);
        assertRefused(
                Errno.EINVAL, "SRQ-01", () -> right.pd.createSrq(new SrqInitAttributes(sizes, null, null, null)), word);
    }

    @Test
    @Rule({"SRQ-01", "WR-11", "WR-10"})
    void chainIsPostedUpToTheFirstThatDoesNotFit() {
        SharedReceiveQueue srq =
                right.pd.createSrq(new SrqInitAttributes(new SrqAttributes(4, 1, 0), null, null, null));
        ReceiveWorkRequest tooLong = ReceiveWorkRequest.of(9, right.sge(0, 1), right.sge(1, 1));
        VerbsException refused = assertRefused(
                Errno.EINVAL,
                "WR-11",
                () -> srq.postRecv(List.of(ReceiveWorkRequest.of(1), tooLong, ReceiveWorkRequest.of(2))),
                "num_sge=2 > max_sge=1");
        assertThat(refused.badRequest()).isEqualTo(1);
        post(srq, 2, 2);
        refused = assertRefused(
                Errno.ENOMEM,
                "WR-11",
                () -> srq.postRecv(
                        List.of(ReceiveWorkRequest.of(4), ReceiveWorkRequest.of(5), ReceiveWorkRequest.of(6))),
                "max_wr=4");
        assertThat(refused.badRequest()).isEqualTo(1);
        refused = assertRefused(Errno.ENOMEM, "WR-11", () -> srq.postRecv(ReceiveWorkRequest.of(7)));
        assertThat(refused.badRequest()).isZero();

        QueuePair peer = peerOf(user(srq));
        send(peer, 4);
        assertThat(receivedIds()).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    @Rule({"SRQ-05", "SRQ-08"})
    void queueGrowsAndShrinksAroundWhatIsInIt() {
        assertThat(right.device.query().capabilities() & DeviceCapabilities.SRQ_RESIZE)
                .isNotZero();
        SharedReceiveQueue srq = srq(5);
        QueuePair peer = peerOf(user(srq));
        // Somewhere in the middle of the ring.
        post(srq, 0, 3);
        send(peer, 3);
        post(srq, 3, 5);
        assertRefused(
                Errno.EINVAL,
                "SRQ-05",
                () -> srq.modify(SrqAttributes.ofSize(4), SrqAttributes.MAX_WR),
                "max_wr=4 < 5");
        assertThat(srq.query().maxWr()).isEqualTo(5);
        srq.modify(SrqAttributes.ofSize(9), SrqAttributes.MAX_WR);
        post(srq, 8, 4);
        assertRefused(Errno.ENOMEM, "WR-11", () -> post(srq, 12, 1));
        send(peer, 7);
        srq.modify(SrqAttributes.ofSize(2), SrqAttributes.MAX_WR);
        assertThat(srq.query().maxWr()).isEqualTo(2);
        assertRefused(Errno.ENOMEM, "WR-11", () -> post(srq, 12, 1));
        send(peer, 2);
        post(srq, 12, 2);
        send(peer, 2);
        assertThat(receivedIds()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L);
    }

    @Test
    @Rule({"SRQ-05", "SRQ-04"})
    void modifyThatCannotBeChangesNothing() {
        SharedReceiveQueue srq = srq(8);
        srq.modify(SrqAttributes.ofLimit(4), SrqAttributes.LIMIT);
        SrqAttributes before = srq.query();
        int both = SrqAttributes.MAX_WR | SrqAttributes.LIMIT;
        assertRefused(
                Errno.EINVAL, "SRQ-05", () -> srq.modify(SrqAttributes.ofSize(0), SrqAttributes.MAX_WR), "max_wr=0");
        assertRefused(
                Errno.EINVAL,
                "SRQ-05",
                () -> srq.modify(SrqAttributes.ofSize(1 << 20), SrqAttributes.MAX_WR),
                "max_wr=1048576");
        assertRefused(
                Errno.EINVAL, "SRQ-04", () -> srq.modify(SrqAttributes.ofLimit(9), SrqAttributes.LIMIT), "srq_limit=9");
        assertRefused(Errno.EINVAL, "SRQ-04", () -> srq.modify(SrqAttributes.ofLimit(-1), SrqAttributes.LIMIT));
        assertRefused(Errno.EINVAL, "SRQ-04", () -> srq.modify(new SrqAttributes(6, 0, 7), both), "srq_limit=7");
        // The limit that is armed has to stay possible.
        assertRefused(
                Errno.EINVAL, "SRQ-04", () -> srq.modify(SrqAttributes.ofSize(3), SrqAttributes.MAX_WR), "srq_limit=4");
        assertRefused(Errno.EINVAL, "SRQ-05", () -> srq.modify(before, 4), "srq_attr_mask=0x4");
        assertThat(srq.query()).isEqualTo(before);
        srq.modify(new SrqAttributes(16, 0, 16), both);
        assertThat(srq.query()).isEqualTo(new SrqAttributes(16, 4, 16));
    }

    @Test
    @Rule("SRQ-05")
    void deviceWithoutTheCapabilityDoesNotResize() {
        try (Verbatim rdma =
                Verbatim.inProcess().profile(DeviceProfile.MLX5_LIKE).tap(new RecordingTap())) {
            Side side = new Side(rdma.open("device"), QpCapabilities.USUAL);
            assertThat(side.device.query().capabilities() & DeviceCapabilities.SRQ_RESIZE)
                    .isZero();
            SharedReceiveQueue srq = side.pd.createSrq(SrqInitAttributes.basic(8));
            assertRefused(
                    Errno.EOPNOTSUPP,
                    "SRQ-05",
                    () -> srq.modify(SrqAttributes.ofSize(16), SrqAttributes.MAX_WR),
                    "MLX5_LIKE");
            srq.modify(SrqAttributes.ofLimit(2), SrqAttributes.LIMIT);
            assertThat(srq.query()).isEqualTo(new SrqAttributes(8, 4, 2));
        }
    }

    @Test
    @Rule({"PD-05", "PD-01"})
    void queueStaysWhileAQueuePairUsesIt() {
        SharedReceiveQueue srq = srq(4);
        QueuePair user = user(srq);
        assertRefused(Errno.EBUSY, "PD-05", srq::close, "1 queue pairs");
        post(srq, 1, 1);
        send(peerOf(user), 1);
        user.close();
        srq.close();
        assertRefused(Errno.ENOENT, "PD-03", srq::close);
        assertRefused(Errno.ENOENT, "PD-03", srq::query);
        assertRefused(Errno.ENOENT, "PD-03", () -> post(srq, 1, 1));
        assertRefused(Errno.EINVAL, "QP-04", () -> user(srq), "destroyed before");

        ProtectionDomain pd = right.device.allocatePd();
        SharedReceiveQueue other = pd.createSrq(SrqInitAttributes.basic(4));
        assertRefused(Errno.EBUSY, "PD-01", pd::close, "shared receive queues=1");
        other.close();
        pd.close();
        assertRefused(Errno.ENOENT, "PD-02", () -> pd.createSrq(SrqInitAttributes.basic(4)));
    }

    @Test
    @Rule({"QP-04", "WR-13"})
    void queuePairHasNoReceiveQueueBesidesTheSharedOne() {
        SharedReceiveQueue srq = srq(4);
        QpInitAttributes asked = QpInitAttributes.rc(
                        right.sendCq, right.recvCq, new QpCapabilities(5, 1 << 30, 2, 1 << 30, 0))
                .withSrq(srq);
        QueuePair qp = right.pd.createQp(asked);
        assertThat(qp.initAttributes().capabilities()).isEqualTo(new QpCapabilities(5, 0, 2, 0, 0));
        assertThat(qp.initAttributes().srq()).isSameAs(srq);
        assertRefused(Errno.EINVAL, "WR-13", () -> qp.postRecv(ReceiveWorkRequest.of(1)), "shared receive queue");
        peerOf(qp);
        assertRefused(Errno.EINVAL, "WR-13", () -> qp.postRecv(List.of(ReceiveWorkRequest.of(1))));
        assertRefused(
                Errno.EINVAL,
                "QP-04",
                () -> left.pd.createQp(left.qp.initAttributes().withSrq(srq)),
                "not a shared");
    }

    @Test
    @Rule({"QP-04", "SRQ-01"})
    void queueOfOtherTypeIsRefused() {
        XrcDomain domain = right.device.openXrcDomain();
        SharedReceiveQueue xrc = right.pd.createSrq(SrqInitAttributes.xrc(4, domain, right.recvCq));
        assertRefused(Errno.EINVAL, "QP-04", () -> user(xrc), "of type XRC");
        assertRefused(
                Errno.EINVAL,
                "XRC-01",
                () -> right.pd.createSrq(new SrqInitAttributes(SrqAttributes.ofSize(1), domain, null, null)));
        assertRefused(
                Errno.EINVAL,
                "XRC-01",
                () -> right.pd.createSrq(new SrqInitAttributes(SrqAttributes.ofSize(1), null, right.recvCq, null)));
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
        RcPair.WITHOUT_TIMER.retries(0, 7, 7, 1).join(peer, user);
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

    @Test
    @Rule({"QP-24", "SRQ-03"})
    void resetForgetsWhatTheQueuePairDidAndNotWhatIsInTheQueue() {
        SharedReceiveQueue srq = srq(8);
        QueuePair user = user(srq);
        QueuePair peer = peerOf(user);
        post(srq, 1, 2);
        send(peer, 1);
        user.modify(new QpAttributes().state(QpState.ERR));
        user.modify(new QpAttributes().state(QpState.RESET));
        assertThat(right.recvCq.poll(1)).isEmpty();
        send(peerOf(user), 1);
        assertThat(right.received()).isSuccess().hasId(2);
        // Elements of no bytes name no region.
        srq.postRecv(ReceiveWorkRequest.of(3, new Sge(0, 0, 0xbad)));
        send(peerOf(user(srq)), 1);
        assertThat(right.received()).isSuccess().hasId(3);
    }

    @Test
    @Rule("PD-07")
    void deviceNamesItsQueuesWhenItCannotClose() {
        srq(4);
        right.device.openXrcDomain();
        assertRefused(
                Errno.EBUSY, "PD-07", right.device::close, "shared receive queues=1", "xrc domains=1", "queue pairs=1");
    }
}
