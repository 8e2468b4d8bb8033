// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shared receive queues (1.6), SRQ-1 and SRQ-2 (5.4). */
@Timeout(600)
class NdSharedReceiveQueueTest {

    private static final int DEPTH = 8;
    private static final int THRESHOLD = 3;

    @AutoClose
    private Verbatim rdma;

    private NdSide left;
    private NdSide right;
    private NdSharedReceiveQueue srq;
    private NdQueuePair shared;
    private final NdOverlapped first = new NdOverlapped();
    private final NdOverlapped second = new NdOverlapped();

    @BeforeEach
    void open() {
        rdma = Verbatim.inProcess();
        left = new NdSide(rdma.open("left"));
        right = new NdSide(rdma.open("right"));
        srq = right.adapter.createSharedReceiveQueue(right.file, DEPTH, 2, THRESHOLD, 1, 2);
        shared = sharing("shared");
        NdSide.connectToShared(left.qp, shared);
    }

    private NdQueuePair sharing(Object context) {
        return right.adapter.createQueuePairWithSrq(right.cq, right.cq, srq, context, 4, 1, 0);
    }

    private void receive(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(srq.receive("receive " + i, NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    private void send() {
        assertThat(left.qp.send("send", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
    }

    @Test
    void srq1_emptyQueueStallsTheSenderAndFailsNobody() {
        send();
        assertThat(left.poll()).isNull();
        receive(1);
        left.succeeds(NdRequestType.SEND, "send");
        NdResult result = right.succeeds(NdRequestType.RECEIVE, "receive 0");
        assertThat(result.queuePairContext()).isEqualTo("shared");
    }

    @Test
    void srq2_notifyComesWhenFewerAreOutstandingThanTheThresholdSays() {
        receive(4);
        assertThat(srq.notify(first)).isEqualTo(NdStatus.PENDING);
        assertThat(srq.notify(second)).isEqualTo(NdStatus.PENDING);
        send();
        assertThat(srq.getOverlappedResult(first, false)).isEqualTo(NdStatus.PENDING);
        send();
        assertThat(srq.getOverlappedResult(first, false)).isEqualTo(NdStatus.SUCCESS);
        assertThat(srq.getOverlappedResult(second, false)).isEqualTo(NdStatus.SUCCESS);
        assertThat(srq.notify(first)).isEqualTo(NdStatus.PENDING);
        assertThat(srq.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
        assertThat(srq.getOverlappedResult(first, false)).isEqualTo(NdStatus.CANCELED);
    }

    @Test
    void thresholdOfZeroNeverTells() {
        NdSharedReceiveQueue quiet = right.adapter.createSharedReceiveQueue(right.file, DEPTH, 1, 0, 0, 0);
        assertThat(quiet.notify(first)).isEqualTo(NdStatus.PENDING);
        assertThat(quiet.getOverlappedResult(first, false)).isEqualTo(NdStatus.PENDING);
    }

    @Test
    void modifyChangesWhatIsNotZero() {
        receive(DEPTH);
        assertThat(srq.receive("more", NdSge.NONE)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
        assertThat(srq.modify(DEPTH - 1, 0)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(srq.modify(DEPTH + 1, 0)).isEqualTo(NdStatus.SUCCESS);
        receive(1);
        assertThat(srq.receive("more", NdSge.NONE)).isEqualTo(NdStatus.NO_MORE_ENTRIES);
        assertThat(srq.modify(-1, 0)).isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(srq.modify(0, DEPTH + 2)).isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(srq.modify(right.adapter.query().maxSharedReceiveQueueDepth() + 1, 0))
                .isEqualTo(NdStatus.INVALID_PARAMETER);
        // The new threshold counts for what is pending already.
        assertThat(srq.notify(first)).isEqualTo(NdStatus.PENDING);
        assertThat(srq.modify(0, DEPTH + 1)).isEqualTo(NdStatus.SUCCESS);
        send();
        assertThat(srq.getOverlappedResult(first, false)).isEqualTo(NdStatus.SUCCESS);
    }

    @Test
    void receivesAreRefusedLikeThoseOfAQueuePair() {
        NdSge[] three = {right.mr.sge(0, 1), right.mr.sge(1, 1), right.mr.sge(2, 1)};
        assertThat(srq.receive(1, three)).isEqualTo(NdStatus.DATA_OVERRUN);
        NdSge[] huge = {right.mr.sge(0, 0x80000000), right.mr.sge(0, 1)};
        assertThat(srq.receive(1, huge)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(shared.receive(1, NdSge.NONE)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
        NdSize group = new NdSize();
        assertThat(srq.getNotifyAffinity(group, new NdAffinity())).isEqualTo(NdStatus.SUCCESS);
        assertThat(group.value()).isEqualTo(1);
        srq.release();
        assertThat(srq.receive(1, NdSge.NONE)).isEqualTo(NdStatus.INVALID_HANDLE);
        assertThat(srq.notify(first)).isEqualTo(NdStatus.INVALID_HANDLE);
        assertThat(srq.modify(DEPTH, 0)).isEqualTo(NdStatus.INVALID_HANDLE);
    }

    @Test
    void receivesGoToWhoeverGetsAMessageAndTheirPlacesComeBackInAnyOrder() {
        NdQueuePair more = left.newQueuePair("more");
        NdQueuePair otherShared = sharing("other");
        NdSide.connectToShared(more, otherShared);
        for (int round = 0; round < 20; round++) {
            receive(DEPTH);
            Set<Object> contexts = new HashSet<>();
            for (int i = 0; i < DEPTH; i++) {
                NdQueuePair sender = i % 2 == 0 ? left.qp : more;
                assertThat(sender.send("send", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
                left.succeeds(NdRequestType.SEND, "send");
                NdResult result = right.succeeds(NdRequestType.RECEIVE, "receive " + i);
                assertThat(result.queuePairContext()).isEqualTo(i % 2 == 0 ? "shared" : "other");
                contexts.add(result.requestContext());
            }
            assertThat(contexts).hasSize(DEPTH);
        }
    }
}
