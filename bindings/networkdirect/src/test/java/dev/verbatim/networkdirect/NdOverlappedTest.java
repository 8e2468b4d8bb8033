// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.networkdirect.NdCompletionPort.Entry;
import dev.verbatim.testing.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Overlapped requests: exactly one delivery, or none (1.4); ndcq and ndmrlat (5.3). */
@Timeout(600)
class NdOverlappedTest {

    private static final int ROUNDS = 1000;
    private static final long KEY_1 = 71;
    private static final long KEY_2 = 72;

    private final NdCompletionPort port = new NdCompletionPort();
    private final NdOverlapped first = new NdOverlapped();
    private final NdOverlapped second = new NdOverlapped();

    @AutoClose
    private Verbatim rdma;

    private NdSide left;
    private NdSide right;
    private NdCompletionQueue cq1;
    private NdCompletionQueue cq2;

    @BeforeEach
    void open() {
        rdma = Verbatim.inProcess();
        left = new NdSide(rdma.open("left"));
        right = new NdSide(rdma.open("right"));
        NdSide.connect(left, right);
        NdOverlappedFile other = left.adapter.createOverlappedFile();
        cq1 = left.adapter.createCompletionQueue(left.file, 4, 0, 0);
        cq2 = left.adapter.createCompletionQueue(other, 4, 0, 0);
        port.associate(left.file, KEY_1);
        port.associate(other, KEY_2);
    }

    @Test
    void ndcq_cancelledRequestsComeOutInTheOrderOfCancellation() {
        for (int i = 0; i < ROUNDS; i++) {
            notifyBoth();
            assertThat(cq1.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertThat(cq2.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertCanceled(KEY_1, first);
            assertCanceled(KEY_2, second);

            notifyBoth();
            assertThat(cq2.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertThat(cq1.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertCanceled(KEY_2, second);
            assertCanceled(KEY_1, first);
        }
    }

    private void notifyBoth() {
        assertThat(cq1.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
        assertThat(cq2.notify(NdNotifyType.ANY, second)).isEqualTo(NdStatus.PENDING);
    }

    @Test
    void ndcq_severalOfOneQueueComeOutInTheOrderInWhichTheyWereGiven() {
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(cq1.notify(NdNotifyType.ANY, second)).isEqualTo(NdStatus.PENDING);
            assertThat(cq1.notify(NdNotifyType.ERRORS, first)).isEqualTo(NdStatus.PENDING);
            assertThat(cq1.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertCanceled(KEY_1, second);
            assertCanceled(KEY_1, first);
            assertThat(port.poll()).isNull();
        }
    }

    private void assertCanceled(long key, NdOverlapped overlapped) {
        Entry entry = port.poll();
        assertThat(entry).isEqualTo(new Entry(key, overlapped, NdStatus.CANCELED));
        NdCompletionQueue issuer = key == KEY_1 ? cq1 : cq2;
        assertThat(issuer.getOverlappedResult(overlapped, false)).isEqualTo(NdStatus.CANCELED);
    }

    @Test
    void ndmrlat_registrationIsDeliveredToThePortUnlessThatIsSuppressed() {
        NdMemoryRegion region = left.adapter.createMemoryRegion(left.file);
        NdOverlapped quiet = NdOverlapped.suppressPort();
        for (int length = 1; length <= NdSide.BYTES; length *= 2) {
            for (int i = 0; i < 50; i++) {
                assertThat(region.register(left.memory, 0, length, NdSide.ALL_RIGHTS, quiet))
                        .isEqualTo(NdStatus.PENDING);
                assertThat(region.getOverlappedResult(quiet, true)).isEqualTo(NdStatus.SUCCESS);
                assertThat(region.deregister(quiet)).isEqualTo(NdStatus.PENDING);
                assertThat(region.getOverlappedResult(quiet, true)).isEqualTo(NdStatus.SUCCESS);
                assertThat(port.poll()).isNull();

                assertThat(region.register(left.memory, 0, length, NdSide.ALL_RIGHTS, first))
                        .isEqualTo(NdStatus.PENDING);
                assertDelivered(first);
                assertThat(region.deregister(second)).isEqualTo(NdStatus.PENDING);
                assertDelivered(second);
            }
        }
    }

    private void assertDelivered(NdOverlapped overlapped) {
        assertThat(port.get(Await.LIMIT)).isEqualTo(new Entry(KEY_1, overlapped, NdStatus.SUCCESS));
        assertThat(port.poll()).isNull();
    }

    @Test
    void whatEndsBeforeItsCallReturnsIsNotDelivered() {
        NdSide inline =
                new NdSide(rdma.open("inline"), NdProfile.REFERENCE.withMrAlwaysPends(false), NdSide.Sizes.USUAL);
        port.associate(inline.file, 3);
        NdMemoryRegion region = inline.adapter.createMemoryRegion(inline.file);
        assertThat(region.register(inline.memory, 0, 8, 0, first)).isEqualTo(NdStatus.SUCCESS);
        assertThat(region.getOverlappedResult(first, false)).isEqualTo(NdStatus.SUCCESS);
        assertThat(region.register(inline.memory, 0, 8, 0, first)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
        assertThat(region.deregister(first)).isEqualTo(NdStatus.SUCCESS);
        assertThat(port.poll()).isNull();
    }

    @Test
    void resultIsAskedForAtTheObjectThatStartedTheRequest() {
        assertThat(cq1.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
        assertThat(cq2.getOverlappedResult(first, true)).isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(cq1.getOverlappedResult(first, false)).isEqualTo(NdStatus.PENDING);
        assertThat(cq1.getOverlappedResult(first, Duration.ofMillis(1))).isEqualTo(NdStatus.PENDING);
    }

    @Test
    void overlappedIsInUseUntilItsRequestHasEnded() {
        assertThat(cq1.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
        assertThatThrownBy(() -> cq2.notify(NdNotifyType.ANY, first)).isInstanceOf(IllegalStateException.class);
        assertThat(cq1.release()).isZero();
        assertCanceled(KEY_1, first);
        assertThat(cq2.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
    }

    @Test
    void whoeverWaitsAtThePortBringsRequestsOfAllAdaptersForward() {
        port.associate(right.file, 3);
        assertThat(left.cq.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
        assertThat(right.cq.notify(NdNotifyType.ANY, second)).isEqualTo(NdStatus.PENDING);
        assertThat(right.qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(left.qp.send("send", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        assertThat(new Entry[] {port.get(Await.LIMIT), port.get(Await.LIMIT)})
                .containsExactlyInAnyOrder(
                        new Entry(KEY_1, first, NdStatus.SUCCESS), new Entry(3, second, NdStatus.SUCCESS));
        assertThat(port.get(Duration.ofMillis(1))).isNull();
    }

    @Test
    void programMayPostAnEntryOfItsOwn() {
        port.post(5, first);
        assertThat(port.poll()).isEqualTo(new Entry(5, first, NdStatus.SUCCESS));
    }

    @Test
    void cancellationIsSeenByAnotherThreadThatWaits() throws Exception {
        assertThat(cq1.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
        CompletableFuture<NdStatus> waiting = CompletableFuture.supplyAsync(() -> cq1.getOverlappedResult(first, true));
        assertThat(cq1.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
        assertThat(waiting.get()).isEqualTo(NdStatus.CANCELED);
    }

    @Test
    void fileHasOnePort() {
        assertThatThrownBy(() -> new NdCompletionPort().associate(left.file, 1))
                .isInstanceOf(IllegalStateException.class);
    }
}
