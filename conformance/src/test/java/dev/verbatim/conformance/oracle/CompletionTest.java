// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.LEFT;
import static dev.verbatim.conformance.oracle.Story.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.Test;

/** Completions in traces written by hand. */
class CompletionTest {

    private static final byte[] ONE = {1};

    private final Story story = Story.connected();

    private static SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, RIGHT + id, KEY, new Sge(LEFT + id, 1, KEY));
    }

    private static SendWorkRequest send(long id) {
        return SendWorkRequest.send(id, new Sge(LEFT + id, 1, KEY));
    }

    private static ReceiveWorkRequest receive(long id) {
        return ReceiveWorkRequest.of(id, new Sge(RIGHT + 16 * id, 4, KEY));
    }

    /** A request of one byte is posted, gathered and placed there. */
    private void executes(SendWorkRequest request, boolean signaled, long where) {
        int psn = (int) request.id();
        if (signaled) {
            story.left.posts(request);
        } else {
            story.left.postsUnsignaled(request);
        }
        story.left.starts(psn, psn, 1).left.gathers(psn, LEFT + psn, ONE).right.places(psn, where, ONE);
    }

    private void writes(int id, boolean signaled) {
        executes(write(id), signaled, RIGHT + id);
    }

    @Test
    void completionsComeInPostOrder() {
        writes(1, true);
        writes(2, false);
        writes(3, true);
        story.left
                .completes(1, WcOpcode.RDMA_WRITE, 0)
                .left
                .completes(3, WcOpcode.RDMA_WRITE, 0)
                .isPermitted();
        assertThat(story.verdictAtEnd().violations()).isEmpty();
    }

    @Test
    void laterRequestMustNotCompleteFirst() {
        writes(1, true);
        writes(2, true);
        story.left.completes(2, WcOpcode.RDMA_WRITE, 0).isForbiddenBy(Check.COMPLETION_ORDER);
    }

    @Test
    void successMustNotHideThatAnEarlierUnsignaledRequestWasNotExecuted() {
        story.left.postsUnsignaled(write(1)).left.starts(1, 1, 1).left.gathers(1, LEFT + 1, ONE);
        story.left.posts(SendWorkRequest.write(2, RIGHT, KEY)).left.starts(2, 2, 1);
        story.left.completes(2, WcOpcode.RDMA_WRITE, 0).isForbiddenBy(Check.COMPLETION_ORDER);
    }

    @Test
    void requestMustNotCompleteTwice() {
        writes(1, true);
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0).isPermitted();
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0).isForbiddenBy(Check.ONE_COMPLETION);
    }

    @Test
    void unsignaledRequestMustNotCompleteWithSuccess() {
        writes(1, false);
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0).isForbiddenBy(Check.ONE_COMPLETION);
    }

    @Test
    void requestThatNeverCompletesIsFoundAtTheEnd() {
        writes(1, true);
        story.isPermitted();
        assertThat(story.verdictAtEnd().violations())
                .extracting(Violation::check)
                .containsExactly(Check.ONE_COMPLETION);
    }

    @Test
    void receiveThatIsNeverFlushedIsFoundAtTheEnd() {
        story.right.posts(receive(1)).right.enters(QpState.RTS, QpState.ERR).isPermitted();
        assertThat(story.verdictAtEnd().violations())
                .extracting(Violation::check)
                .containsExactly(Check.ONE_COMPLETION);
    }

    @Test
    void requestsOfAQueuePairThatWasResetNeedNotComplete() {
        writes(1, true);
        story.left.enters(QpState.RTS, QpState.RESET);
        assertThat(story.verdictAtEnd().violations()).isEmpty();
    }

    @Test
    void requestMustNotFailBeforeTheQueuePairDoes() {
        story.left.posts(write(1));
        story.left.fails(1, WcOpcode.RDMA_WRITE, WcStatus.RETRY_EXC_ERR).isForbiddenBy(Check.ERROR_STATE);
    }

    @Test
    void nothingSucceedsBehindAFailure() {
        story.left
                .posts(write(1))
                .left
                .posts(SendWorkRequest.write(2, RIGHT, KEY))
                .left
                .starts(1, 1, 1)
                .left
                .starts(2, 2, 1);
        story.left.enters(QpState.RTS, QpState.ERR);
        story.left.fails(1, WcOpcode.RDMA_WRITE, WcStatus.REM_ACCESS_ERR).isPermitted();
        story.left.completes(2, WcOpcode.RDMA_WRITE, 0).isForbiddenBy(Check.COMPLETION_ORDER);
    }

    @Test
    void onlyTheFirstFailureHasAReason() {
        story.left.posts(write(1)).left.posts(write(2)).left.enters(QpState.RTS, QpState.ERR);
        story.left.fails(1, WcOpcode.RDMA_WRITE, WcStatus.RETRY_EXC_ERR).isPermitted();
        story.left.fails(2, WcOpcode.RDMA_WRITE, WcStatus.RETRY_EXC_ERR).isForbiddenBy(Check.FLUSH);
    }

    @Test
    void everyRequestBehindAFailureIsFlushed() {
        story.left.posts(write(1)).left.postsUnsignaled(write(2)).left.posts(write(3));
        story.left.enters(QpState.RTS, QpState.ERR);
        story.left.fails(1, WcOpcode.RDMA_WRITE, WcStatus.WR_FLUSH_ERR);
        story.left.fails(3, WcOpcode.RDMA_WRITE, WcStatus.WR_FLUSH_ERR).isForbiddenBy(Check.COMPLETION_ORDER);
    }

    /** Whether the first of two requests with one id succeeded or was flushed, the id of the next failure tells. */
    @Test
    void failureMayBeOfTheSecondOfTwoRequestsWithOneId() {
        for (boolean firstSucceeded : new boolean[] {true, false}) {
            Story twins = Story.connected();
            for (int psn = 1; psn <= 2; psn++) {
                twins.left.postsUnsignaled(write(7)).left.starts(7, psn, 1).left.gathers(psn, LEFT + 7, ONE);
                twins.right.places(psn, RIGHT + 7, ONE);
            }
            twins.left.posts(write(8)).left.enters(QpState.RTS, QpState.ERR);
            twins.left.fails(7, WcOpcode.RDMA_WRITE, WcStatus.WR_FLUSH_ERR);
            if (!firstSucceeded) {
                twins.left.fails(7, WcOpcode.RDMA_WRITE, WcStatus.WR_FLUSH_ERR);
            }
            twins.left.fails(8, WcOpcode.RDMA_WRITE, WcStatus.WR_FLUSH_ERR).isPermitted();
            assertThat(twins.verdictAtEnd().violations()).isEmpty();
            twins.left.fails(8, WcOpcode.RDMA_WRITE, WcStatus.WR_FLUSH_ERR).isForbiddenBy(Check.ONE_COMPLETION);
        }
    }

    @Test
    void completionTellsTheLengthOfARead() {
        story.left
                .posts(SendWorkRequest.read(1, RIGHT, KEY, new Sge(LEFT, 1, KEY)))
                .left
                .starts(1, 1, 1);
        story.right.fetches(1, RIGHT, ONE).left.returns(1, LEFT, ONE);
        story.left.completes(1, WcOpcode.RDMA_READ, 2).isForbiddenBy(Check.COMPLETION_FIELDS);
    }

    @Test
    void requestMayCompleteAfterLaterOnesWereExecuted() {
        writes(1, true);
        writes(2, true);
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.LATE_COMPLETION)).isEqualTo(1);
    }

    @Test
    void messagesTakeReceivesInTheirOrder() {
        story.right.posts(receive(1)).right.posts(receive(2));
        executes(send(1), true, RIGHT + 16);
        story.right.completes(1, WcOpcode.RECV, 1);
        executes(send(2), true, RIGHT + 32);
        story.right.completes(2, WcOpcode.RECV, 1).isPermitted();
    }

    @Test
    void messageMustNotTakeALaterReceive() {
        story.right.posts(receive(1)).right.posts(receive(2));
        executes(send(1), true, RIGHT + 32);
        story.isForbiddenBy(Check.RECEIVE_ORDER);
    }

    @Test
    void laterReceiveMustNotCompleteFirst() {
        story.right.posts(receive(1)).right.posts(receive(2));
        executes(send(1), true, RIGHT + 16);
        story.right.completes(2, WcOpcode.RECV, 1).isForbiddenBy(Check.RECEIVE_ORDER);
    }

    @Test
    void receiveMustNotCompleteForNoMessage() {
        story.right.posts(receive(1)).right.completes(1, WcOpcode.RECV, 1).isForbiddenBy(Check.ONE_COMPLETION);
    }

    @Test
    void receiveTellsTheLengthOfTheMessage() {
        story.right.posts(receive(1));
        executes(send(1), true, RIGHT + 16);
        story.right.completes(1, WcOpcode.RECV, 4).isForbiddenBy(Check.COMPLETION_FIELDS);
    }

    @Test
    void messageMustNotBeReceivedBeforeItIsPlaced() {
        story.right
                .posts(receive(1))
                .left
                .posts(send(1))
                .left
                .starts(1, 1, 1)
                .left
                .gathers(1, LEFT + 1, ONE);
        story.right.completes(1, WcOpcode.RECV, 1).isForbiddenBy(Check.VISIBLE_WHEN_PROMISED);
    }

    @Test
    void messageMustNotBeReceivedBeforeProgramsSeeTheWriteBeforeIt() {
        story.right.posts(receive(2));
        story.left
                .posts(write(1))
                .left
                .starts(1, 1, 1)
                .left
                .gathers(1, LEFT + 1, ONE)
                .right
                .holds(1, RIGHT + 1, ONE);
        executes(send(2), true, RIGHT + 32);
        story.isPermitted();
        story.right.completes(2, WcOpcode.RECV, 1).isForbiddenBy(Check.VISIBLE_WHEN_PROMISED);
    }

    @Test
    void receiveThatCompletesWithAnErrorIsNoted() {
        story.right.posts(receive(1)).right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.RECV, WcStatus.LOC_LEN_ERR).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.RECEIVE_CONSUMED_BY_ERROR))
                .isEqualTo(1);
    }

    @Test
    void verdictThatForbidsFailsTheTestWithItsReport() {
        writes(1, true);
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0).left.completes(1, WcOpcode.RDMA_WRITE, 0);
        assertThatThrownBy(() -> story.verdict().check())
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("FORBIDDEN", "WC-03", "wr_id=1", "#" + (story.events.size() - 1));
    }
}
