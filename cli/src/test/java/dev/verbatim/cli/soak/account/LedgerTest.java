// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.soak.plan.DevicePair;
import dev.verbatim.cli.soak.plan.SoakPlan;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a ledger finds wrong: each case with a queue pair 7 that one thread posts to. */
class LedgerTest {

    private static final SoakPlan PLAN = new SoakPlan(Duration.ZERO, 1, 1, DevicePair.Kind.IN_PROCESS);

    private final SoakFailures failures = new SoakFailures();
    private final Totals totals = new Totals();
    private final Discards discards = new Discards();
    private final QueueHistory history = new QueueHistory(0);
    private final Ledger ledger = new Ledger(
            1,
            Ledger.Kind.SENDS,
            "queue",
            7,
            true,
            new Ledger.Watch(discards, history),
            failures,
            totals,
            PLAN.threads());

    private long post(boolean signaled) {
        long id = ledger.nextId(0);
        ledger.accepted(ledger.posting(id, signaled, "request"));
        return id;
    }

    private void complete(long id, WcStatus status) {
        complete(id, status, 7, WcOpcode.SEND, System.nanoTime());
    }

    private void complete(long id, WcStatus status, int qp, WcOpcode opcode, long pollNanos) {
        WorkCompletion completion = new WorkCompletion();
        completion.fill(id, status, opcode, 0, 0, qp, 0, 0, 0, null);
        ledger.completed(completion, pollNanos, true);
    }

    private void reset() {
        long nanos = later();
        discards.add(nanos, later());
        later();
    }

    /** Clocks may stand still between two calls. */
    private static long later() {
        long before = System.nanoTime();
        long now = before;
        while (now == before) {
            now = System.nanoTime();
        }
        return now;
    }

    private void found(String... words) {
        List<SoakFailure> found = failures.kept();
        assertThat(found).hasSize(1);
        assertThat(found.get(0).what()).startsWith("queue: ").contains(words);
        assertThat(found.get(0).history()).isNotEmpty();
    }

    private void allIsWell() {
        assertThat(failures.kept()).isEmpty();
        assertThat(totals.missing()).isZero();
    }

    @Test
    void whatSucceedsFailsIsFlushedOrToldOfByASuccessIsAccountedFor() {
        post(false);
        complete(post(true), WcStatus.SUCCESS);
        complete(post(false), WcStatus.REM_ACCESS_ERR);
        complete(post(true), WcStatus.WR_FLUSH_ERR);
        ledger.settle(false);
        allIsWell();
        assertThat(totals.all())
                .containsEntry("posted", 4L)
                .containsEntry("succeeded", 1L)
                .containsEntry("succeeded unsignaled", 1L)
                .containsEntry("failed", 1L)
                .containsEntry("flushed", 1L);
    }

    @Test
    void whatIsInAQueueThatIsResetIsDiscarded() {
        post(true);
        reset();
        assertThat(ledger.isWaiting()).isFalse();
        ledger.settle(false);
        allIsWell();
        assertThat(totals.all()).containsEntry("discarded", 1L);
    }

    @Test
    void aCompletionThatNeverComesIsFound() {
        post(true);
        assertThat(ledger.isWaiting()).isTrue();
        ledger.settle(false);
        found("number 0", "never completed", "WC-03");
        assertThat(totals.missing()).isEqualTo(1);
    }

    @Test
    void aCompletionThatComesTwiceIsFound() {
        long id = post(true);
        complete(id, WcStatus.SUCCESS);
        complete(id, WcStatus.SUCCESS);
        found("completed before");
    }

    @Test
    void aCompletionOfARefusedRequestIsFound() {
        long id = ledger.nextId(0);
        ledger.refused(ledger.posting(id, true, "request"), "full");
        complete(id, WcStatus.SUCCESS);
        found("never posted");
    }

    @Test
    void aCompletionOutOfOrderIsFound() {
        long first = post(true);
        complete(post(true), WcStatus.SUCCESS);
        complete(first, WcStatus.SUCCESS);
        found("number 0", "posted later", "ORD-10");
    }

    @Test
    void aSuccessBehindAFailureIsFound() {
        complete(post(true), WcStatus.LOC_PROT_ERR);
        complete(post(true), WcStatus.SUCCESS);
        found("number 1", "SUCCESS behind a failure", "WC-05");
    }

    @Test
    void aSuccessBehindAFailureOfAnEarlierLifeIsRight() {
        complete(post(true), WcStatus.LOC_PROT_ERR);
        reset();
        complete(post(true), WcStatus.SUCCESS);
        allIsWell();
    }

    @Test
    void anUnsignaledRequestBehindAFailureThatIsNotFlushedIsFound() {
        complete(post(true), WcStatus.LOC_PROT_ERR);
        post(false);
        ledger.settle(false);
        found("number 1", "no completion behind a failure", "QP-22");
    }

    @Test
    void aCompletionOfAnUnsignaledSuccessIsFound() {
        complete(post(false), WcStatus.SUCCESS);
        found("unsignaled", "WR-16");
    }

    @Test
    void aCompletionThatOutlivesAResetIsFound() {
        long id = post(true);
        reset();
        complete(id, WcStatus.SUCCESS);
        found("after RESET", "QP-24");
    }

    @Test
    void aCompletionThatWasPolledBeforeAResetIsRightAlsoAfterIt() {
        long id = post(true);
        long pollNanos = System.nanoTime();
        reset();
        complete(id, WcStatus.SUCCESS, 7, WcOpcode.SEND, pollNanos);
        allIsWell();
    }

    @Test
    void aCompletionOfAnotherQueuePairOrQueueIsFound() {
        complete(post(true), WcStatus.SUCCESS, 8, WcOpcode.SEND, System.nanoTime());
        found("qp 0x8");
    }

    @Test
    void aReceiveThatNamesASendIsFound() {
        complete(post(true), WcStatus.SUCCESS, 7, WcOpcode.RECV, System.nanoTime());
        found("completed as RECV");
    }
}
