// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Notify, GetResults and Resize (1.5), and CQ-1 to CQ-4 (5.4). */
@Timeout(600)
class NdCompletionQueueTest {

    @AutoClose
    private Verbatim rdma;

    private NdSide left;
    private NdSide right;
    private final NdOverlapped first = new NdOverlapped();
    private final NdOverlapped second = new NdOverlapped();

    @BeforeEach
    void open() {
        rdma = Verbatim.inProcess();
        connect(NdSide.Sizes.USUAL);
    }

    private void connect(NdSide.Sizes sizes) {
        left = new NdSide(rdma.open("left"), NdProfile.REFERENCE, sizes);
        right = new NdSide(rdma.open("right"), NdProfile.REFERENCE, sizes);
        NdSide.connect(left, right);
    }

    /** What can complete. */
    private enum Happening {
        PLAIN,
        SOLICITED,
        ERROR
    }

    private void happen(Happening what) {
        if (what == Happening.ERROR) {
            assertThat(right.qp.flush()).isEqualTo(NdStatus.SUCCESS);
        } else {
            int flags = what == Happening.SOLICITED ? NdOpFlags.SEND_AND_SOLICIT_EVENT : 0;
            assertThat(left.qp.send("send", NdSge.NONE, flags)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    private void receive(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(right.qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    private void notify(NdNotifyType type, NdOverlapped overlapped) {
        assertThat(right.cq.notify(type, overlapped)).isEqualTo(NdStatus.PENDING);
    }

    private boolean isTold(NdOverlapped overlapped) {
        NdStatus status = right.cq.getOverlappedResult(overlapped, false);
        assertThat(status).isIn(NdStatus.PENDING, NdStatus.SUCCESS);
        return status.isSuccess();
    }

    /** What was there before the Notify counts, unless one was told of it or it was taken. */
    @ParameterizedTest
    @CsvSource({
        "ANY, PLAIN, true", "ANY, SOLICITED, true", "ANY, ERROR, true",
        "SOLICITED, SOLICITED, true", "SOLICITED, ERROR, true", "SOLICITED, PLAIN, false",
        "ERRORS, PLAIN, false", "ERRORS, SOLICITED, false", "ERRORS, ERROR, true"
    })
    void cq1_whatComesBetweenAnEmptyGetResultsAndNotifyIsNotLost(NdNotifyType type, Happening what, boolean told) {
        receive(2);
        // One that is told of everything before: from now on it is known what is solicited.
        notify(NdNotifyType.ANY, first);
        happen(Happening.SOLICITED);
        assertThat(isTold(first)).isTrue();
        right.succeeds(NdRequestType.RECEIVE, "receive");
        assertThat(right.poll()).isNull();

        happen(what);
        notify(type, first);
        assertThat(isTold(first)).isEqualTo(told);
        assertThat(right.result().requestContext()).isEqualTo("receive");
        notifyAgain(told);
    }

    private void notifyAgain(boolean told) {
        if (told) {
            notify(NdNotifyType.ANY, first);
        }
        assertThat(isTold(first)).as("what was taken is not told of").isFalse();
    }

    @ParameterizedTest
    @EnumSource(NdNotifyType.class)
    void notifyIsOnceForEachCompletion(NdNotifyType type) {
        receive(2);
        notify(type, first);
        happen(Happening.ERROR);
        assertThat(isTold(first)).isTrue();
        // It waits there still, but was told of.
        notify(type, first);
        assertThat(isTold(first)).isFalse();
        assertThat(right.cq.getResults(NdResult.array(4))).isEqualTo(2);
        assertThat(right.cq.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
        assertThat(right.cq.getOverlappedResult(first, false)).isEqualTo(NdStatus.CANCELED);
    }

    @Test
    void strongNotifyThatWasCancelledDoesNotMakeAWeakOneStrong() {
        receive(1);
        notify(NdNotifyType.ANY, first);
        assertThat(right.cq.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
        notify(NdNotifyType.ERRORS, second);
        happen(Happening.PLAIN);
        assertThat(isTold(second)).isFalse();
    }

    @Test
    void resultsComeInTheOrderOfTheirQueueWhetherTheyWaitedOrNot() {
        for (int i = 0; i < 40; i++) {
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
            if (i == 20) {
                assertThat(left.cq.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
            }
        }
        NdResult[] results = NdResult.array(35);
        assertThat(left.cq.getResults(results)).isEqualTo(35);
        for (int i = 0; i < 35; i++) {
            assertThat(results[i].requestContext()).isEqualTo(i);
        }
        assertThat(left.cq.getResults(results)).isEqualTo(5);
        assertThat(results[4].requestContext()).isEqualTo(39);
        assertThat(left.cq.getResults(results)).isZero();
    }

    @Test
    void cq2_overrunIsTheEndOfTheQueueAndOfAllThatUseIt() {
        connect(NdSide.Sizes.USUAL.cqDepth(2));
        NdOverlapped pending = new NdOverlapped();
        receive(1);
        for (int i = 0; i < 3; i++) {
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        }
        NdResult[] results = NdResult.array(4);
        assertThat(left.cq.getResults(results)).isEqualTo(2);
        assertThat(results[1].requestContext()).isEqualTo(1);
        assertThat(left.cq.getResults(results)).isZero();
        assertThat(left.cq.notify(NdNotifyType.ANY, pending)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.cq.resize(8)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(pending.isCompleted()).isTrue();
        assertThat(left.qp.verbs().state()).isEqualTo(dev.verbatim.verbs.QpState.ERR);
    }

    @Test
    void cq2_resizeOfAnOverrunQueueSaysSoThoughNobodyHasLookedAtItSince() {
        connect(NdSide.Sizes.USUAL.cqDepth(2));
        for (int i = 0; i < 3; i++) {
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        }
        assertThat(left.cq.resize(8)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.cq.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
    }

    @Test
    void cq2_pendingNotifyHearsOfTheOverrun() {
        connect(NdSide.Sizes.USUAL.cqDepth(2));
        assertThat(left.cq.notify(NdNotifyType.ERRORS, first)).isEqualTo(NdStatus.PENDING);
        for (int i = 0; i < 20; i++) {
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        }
        NdResult[] all = NdResult.array(20);
        assertThat(left.cq.getOverlappedResult(first, false)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.cq.getResults(all)).isBetween(2, 4);
    }

    @Test
    void cq4_resizeKeepsWhatWaits() {
        for (int i = 0; i < 10; i++) {
            assertThat(left.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        }
        assertThat(left.cq.resize(9)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(left.cq.resize(0)).isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(left.cq.resize(left.adapter.query().maxCompletionQueueDepth() + 1))
                .isEqualTo(NdStatus.INVALID_PARAMETER);
        assertThat(left.cq.resize(10)).isEqualTo(NdStatus.SUCCESS);
        for (int i = 0; i < 10; i++) {
            left.succeeds(NdRequestType.WRITE, i);
        }
    }

    @Test
    void cq4_resizeUnderLoadLosesNothing() throws Exception {
        int writes = 3000;
        CompletableFuture<Void> resizing = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 300; i++) {
                assertThat(left.cq.resize(200 + i % 7 * 50)).isEqualTo(NdStatus.SUCCESS);
            }
        });
        NdResult[] results = NdResult.array(16);
        int posted = 0;
        int taken = 0;
        while (taken < writes) {
            while (posted < writes && left.qp.write(posted, NdSge.NONE, 0, 0, 0).isSuccess()) {
                posted++;
            }
            int count = left.cq.getResults(results);
            for (int i = 0; i < count; i++) {
                assertThat(results[i].requestContext()).isEqualTo(taken++);
            }
        }
        Await.result("the resizing thread", resizing);
    }

    /** One thread arms and sleeps, the other sends: nobody sleeps for ever. */
    @Test
    void cq1_noWakeUpIsLostBetweenThreads() throws Exception {
        int messages = 2000;
        AtomicInteger posted = new AtomicInteger();
        CompletableFuture<Integer> receiver = CompletableFuture.supplyAsync(() -> {
            NdResult[] results = NdResult.array(8);
            int received = 0;
            while (received < messages) {
                int count = right.cq.getResults(results);
                received += count;
                receive(count);
                posted.addAndGet(count);
                if (count == 0) {
                    notify(NdNotifyType.ANY, first);
                    assertThat(right.cq.getOverlappedResult(first, Await.LIMIT)).isEqualTo(NdStatus.SUCCESS);
                }
            }
            return received;
        });
        receive(16);
        posted.addAndGet(16);
        int sent = 0;
        int confirmed = 0;
        NdResult[] results = NdResult.array(8);
        while (confirmed < messages) {
            if (sent < messages && sent < posted.get()) {
                assertThat(left.qp.send(sent++, NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            }
            int count = left.cq.getResults(results);
            for (NdResult result : Arrays.asList(results).subList(0, count)) {
                assertThat(result.status()).isEqualTo(NdStatus.SUCCESS);
            }
            confirmed += count;
        }
        assertThat(Await.result("the receiver", receiver)).isEqualTo(messages);
    }
}
