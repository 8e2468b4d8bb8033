// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Completions that failed are told of until somebody polls them, wherever they went. */
class UnpolledFailuresTest {

    private static final int NO_KEY = 0x1234;

    @AutoClose
    private Verbatim rdma;

    private RcPair rc;
    private Device left;

    @BeforeEach
    void fail() {
        rdma = Verbatim.inProcess();
        left = rdma.open("left");
        rc = RcPair.connect(left, rdma.open("right"));
        rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
        rc.left()
                .qp()
                .postSend(SendWorkRequest.write(
                        2, rc.right().address(0), NO_KEY, rc.left().sge(0, 8)));
        rc.left().qp().postSend(rc.left().write(3, 0, 8, rc.right()));
        awaitError(rc.left());
    }

    private static void awaitError(RcPeer peer) {
        while (peer.qp().state() != QpState.ERR) {
            Thread.onSpinWait();
        }
    }

    private void assertToldOf() {
        List<WorkCompletion> failures = left.unpolledFailures();
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.id()).isEqualTo(2);
            assertThat(failure.status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
            assertThat(failure.qpNumber()).isEqualTo(rc.left().qp().number());
            assertThat(failure.explanation()).contains("NAK remote access error");
        });
    }

    @Test
    void whatWaitsInItsQueueIsToldOfAndStaysThere() {
        assertToldOf();
        assertToldOf();
        assertThat(rc.left().sent().poll(9))
                .extracting(WorkCompletion::status)
                .containsExactly(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(left.unpolledFailures()).isEmpty();
        assertThat(rc.right().device().unpolledFailures()).isEmpty();
    }

    @Test
    void whatGoesWithItsQueuePairIsToldOf() {
        rc.left().qp().modify(new QpAttributes().state(QpState.RESET));
        assertThat(rc.left().sent().poll(9)).isEmpty();
        assertToldOf();
        rc.close();
        assertToldOf();
    }

    @Test
    void whatGoesWithItsDeviceIsToldOf() {
        left.closeAll();
        assertToldOf();
    }

    @Test
    void onlyTheOldestAreKept() {
        for (int life = 0; life < 2 * CompletionQueues.MOST_DROPPED_FAILURES; life++) {
            RcPair next = RcPair.connect(left, rc.right().device());
            next.left()
                    .qp()
                    .postSend(SendWorkRequest.write(life, 0, NO_KEY, next.left().sge(0, 8)));
            awaitError(next.left());
            next.left().qp().close();
            next.right().qp().close();
        }
        assertThat(left.unpolledFailures())
                .as("and the one that waits")
                .hasSize(CompletionQueues.MOST_DROPPED_FAILURES + 1)
                .extracting(WorkCompletion::id)
                .startsWith(0L, 1L, 2L)
                .endsWith(CompletionQueues.MOST_DROPPED_FAILURES - 1L, 2L);
    }
}
