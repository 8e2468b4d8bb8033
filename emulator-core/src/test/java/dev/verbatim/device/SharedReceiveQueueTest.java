// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.XrcDomain;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shared receive queues and the RC queue pairs that use them. */
class SharedReceiveQueueTest extends SharedReceiveFixture {

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
