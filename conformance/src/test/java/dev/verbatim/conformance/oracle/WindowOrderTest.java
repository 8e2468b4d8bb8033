// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.LEFT;
import static dev.verbatim.conformance.oracle.Story.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When binds and invalidations take effect, in traces written by hand: against requests, completions and each other. */
class WindowOrderTest {

    private static final byte[] ONE = {1};
    /** The key of the window when it is bound. */
    private static final int BOUND = 0x80000041;

    private static final BindInfo HALF =
            new BindInfo(new StoryRegion(RIGHT), RIGHT, 128, AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);

    private final Story story = Story.connected();
    private final StoryWindow window = new StoryWindow(1, MemoryWindowType.TYPE_2, 0x80000001);

    @BeforeEach
    void windowIsThere() {
        story.right.allocates(window);
    }

    private SendWorkRequest bind(long id) {
        return window.bind(id, BOUND, HALF);
    }

    /** The window is bound by request 1 of the right side, which has completed. */
    private void isBound() {
        story.right.posts(bind(1)).right.starts(1, 1, 0).right.binds(window, bind(1));
        story.right.completes(1, WcOpcode.BIND_MW, 0);
    }

    private static SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, RIGHT + id, BOUND, new Sge(LEFT + id, 1, KEY));
    }

    private void sendsWrite(int id) {
        story.left.posts(write(id)).left.starts(id, id, 1).left.gathers(id, LEFT + id, ONE);
    }

    /** A SEND_WITH_INV of one byte into receive 9; its number is its id. */
    private void sendsInvalidation(int id) {
        story.right.posts(ReceiveWorkRequest.of(9, new Sge(RIGHT + 200, 1, KEY)));
        story.left.posts(SendWorkRequest.sendWithInvalidate(id, BOUND, new Sge(LEFT + id, 1, KEY)));
        story.left.starts(id, id, 1).left.gathers(id, LEFT + id, ONE);
    }

    /** A WRITE of the right side, which has nothing to do with the window. */
    private void rightPostsWrite(int id) {
        story.right.posts(SendWorkRequest.write(id, LEFT + id, KEY, new Sge(RIGHT + id, 1, KEY)));
    }

    private void rightStartsWrite(int id, int psn) {
        story.right.starts(id, psn, 1).right.gathers(psn, RIGHT + id, ONE);
    }

    @Test
    void bindAndInvalidationHoldTheirPlaceAndTakeNoNumber() {
        story.right.posts(bind(1));
        rightPostsWrite(2);
        story.right.posts(SendWorkRequest.localInvalidate(3, BOUND));
        rightPostsWrite(4);
        story.right.starts(1, 7, 0).right.binds(window, bind(1));
        rightStartsWrite(2, 7);
        story.left.places(7, LEFT + 2, ONE).left.acknowledges(7);
        story.right.starts(3, 8, 0).right.invalidates(window, BOUND);
        rightStartsWrite(4, 8);
        story.left.places(8, LEFT + 4, ONE).left.acknowledges(8);
        story.right.completes(1, WcOpcode.BIND_MW, 0).right.completes(2, WcOpcode.RDMA_WRITE, 0);
        story.right
                .completes(3, WcOpcode.LOCAL_INV, 0)
                .right
                .completes(4, WcOpcode.RDMA_WRITE, 0)
                .isPermitted();
        assertThat(story.verdictAtEnd().violations()).isEmpty();
        assertThat(story.verdict().weakBehaviours()).doesNotContainKey(WeakBehaviour.EARLY_INVALIDATION);
    }

    @Test
    void nothingStartsBeforeTheBindInFrontOfIt() {
        story.right.posts(bind(1));
        rightPostsWrite(2);
        story.right.starts(2, 7, 1).isForbiddenBy(Check.START_ORDER);
    }

    @Test
    void nothingStartsBeforeTheBindInFrontOfItHasTakenEffect() {
        story.right.posts(bind(1));
        rightPostsWrite(2);
        story.right.starts(1, 7, 0).right.starts(2, 7, 1).isForbiddenBy(Check.BIND_ORDER);
    }

    @Test
    void bindMustNotTakeEffectBeforeItsTurn() {
        rightPostsWrite(1);
        story.right.posts(bind(2)).right.binds(window, bind(2)).isForbiddenBy(Check.START_ORDER);
    }

    @Test
    void bindMustNotTakeEffectTwice() {
        isBound();
        story.right.tellsBound(window, BOUND, HALF);
        assertThat(story.verdict().violations())
                .extracting(Violation::check)
                .containsExactly(Check.BOUND_WHEN_FREE, Check.START_ORDER);
    }

    @Test
    void nothingStartsBeforeTheInvalidationInFrontOfItHasTakenEffect() {
        isBound();
        story.right.posts(SendWorkRequest.localInvalidate(2, BOUND));
        rightPostsWrite(3);
        story.right.starts(2, 1, 0).right.starts(3, 1, 1).isForbiddenBy(Check.INVALIDATION_ORDER);
    }

    @Test
    void bindMustNotSucceedBeforeItHasTakenEffect() {
        story.right.posts(bind(1)).right.starts(1, 1, 0);
        story.right.completes(1, WcOpcode.BIND_MW, 0).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void laterSuccessSaysThatAnUnsignaledBindHasTakenEffect() {
        story.right.postsUnsignaled(bind(1));
        rightPostsWrite(2);
        story.right.starts(1, 1, 0).right.binds(window, bind(1));
        rightStartsWrite(2, 1);
        story.left.places(1, LEFT + 2, ONE);
        story.right.completes(2, WcOpcode.RDMA_WRITE, 0).isPermitted();
    }

    @Test
    void bindMustNotCompleteBeforeWhatWasPostedBefore() {
        rightPostsWrite(1);
        story.right.posts(bind(2));
        rightStartsWrite(1, 1);
        story.right.starts(2, 2, 0).right.binds(window, bind(2)).isPermitted();
        story.right.completes(2, WcOpcode.BIND_MW, 0).isForbiddenBy(Check.COMPLETION_ORDER);
    }

    @Test
    void completionMustSayThatItIsOfABind() {
        story.right.posts(bind(1)).right.starts(1, 1, 0).right.binds(window, bind(1));
        story.right.completes(1, WcOpcode.LOCAL_INV, 0).isForbiddenBy(Check.COMPLETION_FIELDS);
    }

    @Test
    void fencedBindMustNotTakeItsTurnBeforeTheResultOfAnEarlierRead() {
        story.right.posts(SendWorkRequest.read(1, LEFT, KEY, new Sge(RIGHT, 1, KEY)));
        story.right.posts(bind(2).plus(SendFlags.FENCE));
        story.right.starts(1, 1, 1).right.starts(2, 2, 0).isForbiddenBy(Check.FENCE);
    }

    @Test
    void bindWithoutFenceMayTakeEffectBeforeTheResultOfAnEarlierRead() {
        story.right.posts(SendWorkRequest.read(1, LEFT, KEY, new Sge(RIGHT, 1, KEY)));
        story.right.posts(bind(2));
        story.right
                .starts(1, 1, 1)
                .right
                .starts(2, 2, 0)
                .right
                .binds(window, bind(2))
                .isPermitted();
    }

    @Test
    void fencedInvalidationWaitsUntilWhatIsBeforeItIsAcknowledged() {
        isBound();
        rightPostsWrite(2);
        story.right.posts(SendWorkRequest.localInvalidate(3, BOUND).plus(SendFlags.FENCE));
        rightStartsWrite(2, 1);
        story.left.places(1, LEFT + 2, ONE);
        story.right.starts(3, 2, 0);
        story.right.invalidates(window, BOUND).isForbiddenBy(Check.FENCED_INVALIDATION);
    }

    @Test
    void fencedInvalidationTakesEffectWhenWhatIsBeforeItIsComplete() {
        isBound();
        rightPostsWrite(2);
        story.right.posts(SendWorkRequest.localInvalidate(3, BOUND).plus(SendFlags.FENCE));
        rightStartsWrite(2, 1);
        story.left.places(1, LEFT + 2, ONE).left.acknowledges(1);
        story.right.starts(3, 2, 0).right.invalidates(window, BOUND).isPermitted();
        assertThat(story.verdict().count(Check.FENCED_INVALIDATION)).isEqualTo(1);
    }

    @Test
    void invalidationWithoutFenceMayTakeEffectEarly() {
        isBound();
        rightPostsWrite(2);
        story.right.posts(SendWorkRequest.localInvalidate(3, BOUND));
        rightStartsWrite(2, 1);
        story.right.starts(3, 2, 0).right.invalidates(window, BOUND).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.EARLY_INVALIDATION)).isEqualTo(1);
        assertThat(story.verdict().examples().get(WeakBehaviour.EARLY_INVALIDATION))
                .contains("LOCAL_INV wr_id=3", "RDMA_WRITE wr_id=2");
    }

    @Test
    void zeroLengthReadThatWasNotAnsweredIsNotComplete() {
        isBound();
        story.right.posts(SendWorkRequest.read(2, LEFT, KEY));
        story.right.posts(SendWorkRequest.localInvalidate(3, BOUND).plus(SendFlags.FENCE));
        story.right.starts(2, 1, 1).right.starts(3, 2, 0);
        story.right.invalidates(window, BOUND).isForbiddenBy(Check.FENCED_INVALIDATION);
    }

    @Test
    void responseSaysThatAZeroLengthReadIsComplete() {
        isBound();
        story.right.posts(SendWorkRequest.read(2, LEFT, KEY));
        story.right.posts(SendWorkRequest.localInvalidate(3, BOUND).plus(SendFlags.FENCE));
        story.right.starts(2, 1, 1).right.starts(3, 2, 0);
        story.left.responds(Opcode.RDMA_READ_RESPONSE_ONLY, 1);
        story.right.invalidates(window, BOUND).isPermitted();
    }

    @Test
    void bindThatFailsChangesNothing() {
        story.right.posts(bind(1)).right.starts(1, 1, 0).right.binds(window, bind(1));
        story.right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.BIND_MW, WcStatus.MW_BIND_ERR).isForbiddenBy(Check.FAILURE_WITHOUT_EFFECT);
    }

    @Test
    void bindThatWasDoneMayBeFlushed() {
        rightPostsWrite(1);
        story.right.posts(bind(2));
        rightStartsWrite(1, 1);
        story.right.starts(2, 2, 0).right.binds(window, bind(2)).right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.RDMA_WRITE, WcStatus.RETRY_EXC_ERR);
        story.right.fails(2, WcOpcode.BIND_MW, WcStatus.WR_FLUSH_ERR).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.EXECUTED_BUT_FAILED)).isEqualTo(1);
    }

    @Test
    void bindMustNotTakeEffectInErr() {
        story.right.posts(bind(1)).right.starts(1, 1, 0).right.enters(QpState.RTS, QpState.ERR);
        story.right.binds(window, bind(1)).isForbiddenBy(Check.EFFECT_AFTER_ERROR);
    }

    @Test
    void bindMustNotTakeEffectAfterItWasFlushed() {
        story.right.posts(bind(1)).right.starts(1, 1, 0).right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.BIND_MW, WcStatus.WR_FLUSH_ERR).right.binds(window, bind(1));
        assertThat(story.verdict().violations())
                .extracting(Violation::check)
                .containsExactly(Check.EFFECT_AFTER_ERROR, Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void messageInvalidatesBetweenItsDataAndTheCompletionOfItsReceive() {
        isBound();
        sendsInvalidation(1);
        story.right.places(1, RIGHT + 200, ONE).right.isInvalidated(window, BOUND);
        story.right.completes(9, WcOpcode.RECV, 1).isPermitted();
        assertThat(story.verdict().count(Check.REMOTE_INVALIDATION)).isEqualTo(2);
    }

    @Test
    void messageMustNotInvalidateBeforeItsDataArePlaced() {
        isBound();
        sendsInvalidation(1);
        story.right.isInvalidated(window, BOUND).isForbiddenBy(Check.REMOTE_INVALIDATION);
    }

    @Test
    void receiveMustNotCompleteBeforeItsMessageHasInvalidated() {
        isBound();
        sendsInvalidation(1);
        story.right.places(1, RIGHT + 200, ONE);
        story.right.completes(9, WcOpcode.RECV, 1).isForbiddenBy(Check.REMOTE_INVALIDATION);
    }

    @Test
    void messageMustNotInvalidateBeforeAnEarlierWriteIsExecuted() {
        isBound();
        sendsWrite(1);
        story.left.posts(SendWorkRequest.sendWithInvalidate(2, BOUND)).left.starts(2, 2, 1);
        story.right.isInvalidated(window, BOUND).isForbiddenBy(Check.REMOTE_INVALIDATION_ORDER);
    }

    @Test
    void messageMayInvalidateBeforeAnEarlierReadIsFetched() {
        isBound();
        story.left.posts(SendWorkRequest.read(1, RIGHT, BOUND, new Sge(LEFT, 1, KEY)));
        story.left.posts(SendWorkRequest.sendWithInvalidate(2, BOUND));
        story.left.starts(1, 1, 1).left.starts(2, 2, 1);
        story.right.posts(ReceiveWorkRequest.of(9)).right.isInvalidated(window, BOUND);
        story.right.completes(9, WcOpcode.RECV, 0).isPermitted();
        story.right.by(BOUND).fetches(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_REVOKED);
    }

    @Test
    void messageThatCameTwiceMustNotInvalidateAgain() {
        isBound();
        sendsInvalidation(1);
        story.right.places(1, RIGHT + 200, ONE).right.isInvalidated(window, BOUND);
        story.right
                .posts(bind(2))
                .right
                .starts(2, 1, 0)
                .right
                .binds(window, bind(2))
                .isPermitted();
        story.right.isInvalidated(window, BOUND).isForbiddenBy(Check.INVALIDATED_ONCE);
    }

    @Test
    void queuePairInErrMustNotInvalidateForItsPeer() {
        isBound();
        sendsInvalidation(1);
        story.right.places(1, RIGHT + 200, ONE).right.enters(QpState.RTS, QpState.ERR);
        story.right.isInvalidated(window, BOUND).isForbiddenBy(Check.EFFECT_AFTER_ERROR);
    }

    @Test
    void localRequestsAreNoMessagesThatAnAckAnswersFor() {
        rightPostsWrite(1);
        story.right.posts(bind(2));
        rightPostsWrite(3);
        rightStartsWrite(1, 1);
        story.left.places(1, LEFT + 1, ONE).left.acknowledges(1);
        story.right.starts(2, 2, 0).right.binds(window, bind(2));
        rightStartsWrite(3, 2);
        story.left.places(2, LEFT + 3, ONE).left.acknowledges(2).isPermitted();
        assertThat(story.verdict().weakBehaviours()).doesNotContainKey(WeakBehaviour.COALESCED_ACK);
    }
}
