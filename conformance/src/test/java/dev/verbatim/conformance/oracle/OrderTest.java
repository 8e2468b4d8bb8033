// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.LEFT;
import static dev.verbatim.conformance.oracle.Story.RIGHT;
import static dev.verbatim.conformance.oracle.Story.word;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Syndrome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** S, X, L and C in traces written by hand: what is permitted, and each thing that is not. */
class OrderTest {

    private static final byte[] ONE = {1};

    private final Story story = Story.connected();

    private static SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, RIGHT + id, KEY, new Sge(LEFT + id, 1, KEY));
    }

    private static SendWorkRequest read(long id) {
        return SendWorkRequest.read(id, RIGHT + id, KEY, new Sge(LEFT + id, 1, KEY));
    }

    private static SendWorkRequest add(long id, long summand) {
        return SendWorkRequest.fetchAndAdd(id, RIGHT + 8 * id, KEY, summand, new Sge(LEFT + 8 * id, 8, KEY));
    }

    /** A WRITE that was posted and gathered; its number is its id. */
    private void sendsWrite(int id) {
        story.left.posts(write(id));
        story.left.starts(id, id, 1);
        story.left.gathers(id, LEFT + id, ONE);
    }

    private void asks(SendWorkRequest request) {
        story.left.posts(request);
        story.left.starts(request.id(), (int) request.id(), 1);
    }

    @Test
    void writesAreExecutedInTheirOrder() {
        sendsWrite(1);
        sendsWrite(2);
        story.right.places(1, RIGHT + 1, ONE).right.places(2, RIGHT + 2, ONE).isPermitted();
    }

    @Test
    void laterWriteMustNotBeExecutedFirst() {
        sendsWrite(1);
        sendsWrite(2);
        story.right.places(2, RIGHT + 2, ONE).isForbiddenBy(Check.EXECUTION_ORDER);
    }

    @Test
    void readMustNotBeFetchedBeforeAnEarlierWriteIsExecuted() {
        sendsWrite(1);
        asks(read(2));
        story.right.fetches(2, RIGHT + 2, ONE).isForbiddenBy(Check.EXECUTION_ORDER);
    }

    @Test
    void laterWriteMayOvertakeARead() {
        asks(read(1));
        sendsWrite(2);
        story.right.places(2, RIGHT + 2, ONE).right.fetches(1, RIGHT + 1, ONE).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.READ_OVERTAKEN)).isEqualTo(1);
        assertThat(story.verdict().examples().get(WeakBehaviour.READ_OVERTAKEN)).contains("RDMA_READ wr_id=1");
    }

    @Test
    void laterReadMustNotBeFetchedFirst() {
        asks(read(1));
        asks(read(2));
        story.right.fetches(2, RIGHT + 2, ONE).isForbiddenBy(Check.READ_ORDER);
    }

    @Test
    void writeMustNotSucceedBeforeItIsExecuted() {
        sendsWrite(1);
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void writeMustNotBeExecutedAfterItSucceeded() {
        sendsWrite(1);
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0);
        story.right.places(1, RIGHT + 1, ONE);
        assertThat(story.verdict().violations())
                .extracting(Violation::check)
                .containsExactly(Check.COMPLETION_AFTER_EFFECT, Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void writeMustNotBeExecutedBeforeItWasGathered() {
        asks(write(1));
        story.right.places(1, RIGHT + 1, ONE).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void nothingIsExecutedThatWasNotStarted() {
        story.left.posts(write(1));
        story.right.places(1, RIGHT + 1, ONE).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void readMustNotSucceedBeforeItsResultLanded() {
        asks(read(1));
        story.right.fetches(1, RIGHT + 1, ONE);
        story.left.completes(1, WcOpcode.RDMA_READ, 1).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void resultMustNotLandBeforeItWasFetched() {
        asks(read(1));
        story.left.returns(1, LEFT + 1, ONE).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void resultMustNotLandAfterTheReadCompleted() {
        asks(read(1));
        story.right.fetches(1, RIGHT + 1, ONE);
        story.left
                .returns(1, LEFT + 1, ONE)
                .left
                .completes(1, WcOpcode.RDMA_READ, 1)
                .isPermitted();
        story.left.returns(1, LEFT + 1, ONE).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void sourceMustNotBeGatheredAfterTheRequestCompleted() {
        sendsWrite(1);
        story.right
                .places(1, RIGHT + 1, ONE)
                .left
                .completes(1, WcOpcode.RDMA_WRITE, 0)
                .isPermitted();
        story.left.gathers(1, LEFT + 1, ONE).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void fencedRequestWaitsForTheResultOfAnEarlierRead() {
        asks(read(1));
        story.left.posts(write(2).plus(SendFlags.FENCE));
        story.right.fetches(1, RIGHT + 1, ONE).left.returns(1, LEFT + 1, ONE);
        story.left.starts(2, 2, 1).isPermitted();
    }

    @Test
    void fencedRequestMustNotStartBeforeTheResultOfAnEarlierRead() throws IOException {
        asks(read(1));
        story.right.fetches(1, RIGHT + 1, ONE);
        story.left.posts(write(2).plus(SendFlags.FENCE));
        story.left.starts(2, 2, 1).isForbiddenBy(Check.FENCE);
        String violation = story.verdict().violations().get(0).toString();
        assertThat(Files.readString(Path.of(System.getProperty("basedir", ""))
                        .toAbsolutePath()
                        .resolve("../docs/oracle.md")))
                .contains("  " + violation.replaceFirst(" \\(trace.*", " (trace "));
    }

    @Test
    void requestWithoutFenceMayGatherWhatAnEarlierReadWillFill() {
        asks(SendWorkRequest.read(1, RIGHT, KEY, new Sge(LEFT + 2, 1, KEY)));
        sendsWrite(2);
        story.isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.STALE_SOURCE)).isEqualTo(1);
    }

    @Test
    void requestsMustNotStartInAnotherOrder() {
        story.left.posts(write(1)).left.posts(write(2));
        story.left.starts(2, 1, 1).isForbiddenBy(Check.START_ORDER);
    }

    @Test
    void requestsMustNotStartWhileTheQueuePairIsDrained() {
        story.left.enters(QpState.RTS, QpState.SQD).left.posts(write(1));
        story.left.starts(1, 1, 1).isForbiddenBy(Check.START_ORDER);
    }

    @Test
    void sequenceNumbersMustNotHaveAGap() {
        asks(write(1));
        story.left.posts(write(2));
        story.left.starts(2, 3, 1).isForbiddenBy(Check.PSN);
    }

    @Test
    void sequenceNumbersComeRound() {
        story.left.posts(write(1)).left.posts(write(2));
        story.left.starts(1, 0xffffff, 1).left.starts(2, 0, 1);
        story.left.gathers(0xffffff, LEFT + 1, ONE).left.gathers(0, LEFT + 2, ONE);
        story.right
                .places(0xffffff, RIGHT + 1, ONE)
                .right
                .places(0, RIGHT + 2, ONE)
                .isPermitted();
    }

    @Test
    void packetThatWasAcceptedMustNotBePlacedAgain() {
        sendsWrite(1);
        story.right.places(1, RIGHT + 1, ONE).isPermitted();
        story.right.places(1, RIGHT + 1, ONE).isForbiddenBy(Check.PLACED_ONCE);
    }

    @Test
    void packetThatWasLostIsPlacedWithNewerBytes() {
        sendsWrite(1);
        story.left.stores(LEFT + 1, (byte) 2).left.gathers(1, LEFT + 1, (byte) 2);
        story.right.places(1, RIGHT + 1, (byte) 2).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.NEWER_SOURCE)).isEqualTo(1);
    }

    @Test
    void atomicMustNotBeDoneTwice() {
        asks(add(1, 5));
        story.right.stores(RIGHT + 8, word(7)).right.makes(1, RIGHT + 8, 12).isPermitted();
        story.right.makes(1, RIGHT + 8, 17).isForbiddenBy(Check.ATOMIC_ONCE);
    }

    @Test
    void ackMustNotPrecedeWhatItAcknowledges() {
        sendsWrite(1);
        story.right.acknowledges(1).isForbiddenBy(Check.ACKNOWLEDGED_EXECUTED);
    }

    @Test
    void oneAckMayAnswerForSeveralMessages() {
        for (int id = 1; id <= 3; id++) {
            sendsWrite(id);
            story.right.places(id, RIGHT + id, ONE);
        }
        story.right.acknowledges(3).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.COALESCED_ACK)).isEqualTo(1);
    }

    @Test
    void ackMustNotPrecedeTheResponsesBeforeIt() {
        asks(read(1));
        sendsWrite(2);
        story.right.places(2, RIGHT + 2, ONE).right.acknowledges(2).isForbiddenBy(Check.RESPONSE_ORDER);
    }

    @Test
    void nakMustNotPrecedeTheResponsesBeforeIt() {
        asks(read(1));
        sendsWrite(2);
        story.right.replies(Opcode.ACKNOWLEDGE, 2, Syndrome.NAK_REMOTE_ACCESS).isForbiddenBy(Check.RESPONSE_ORDER);
    }

    @Test
    void responsesAreSentInTheOrderOfTheRequests() {
        asks(read(1));
        asks(read(2));
        story.right.fetches(1, RIGHT + 1, ONE).right.responds(Opcode.RDMA_READ_RESPONSE_ONLY, 1);
        story.right
                .fetches(2, RIGHT + 2, ONE)
                .right
                .responds(Opcode.RDMA_READ_RESPONSE_ONLY, 2)
                .isPermitted();
        // Once more for the first, which was lost.
        story.right
                .fetches(1, RIGHT + 1, ONE)
                .right
                .responds(Opcode.RDMA_READ_RESPONSE_ONLY, 1)
                .isPermitted();
    }

    @Test
    void laterResponseMustNotBeSentFirst() {
        asks(read(1));
        asks(read(2));
        story.right.fetches(1, RIGHT + 1, ONE).right.fetches(2, RIGHT + 2, ONE);
        story.right.responds(Opcode.RDMA_READ_RESPONSE_ONLY, 2).isForbiddenBy(Check.RESPONSE_ORDER);
    }

    @Test
    void receiverThatIsNotReadyIsCounted() {
        asks(SendWorkRequest.send(1, new Sge(LEFT, 1, KEY)));
        story.right.replies(Opcode.ACKNOWLEDGE, 1, 0x2e).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.RECEIVER_NOT_READY)).isEqualTo(1);
    }

    @Test
    void nothingTakesEffectInAQueuePairInError() {
        sendsWrite(1);
        story.right.enters(QpState.RTS, QpState.ERR);
        story.right.places(1, RIGHT + 1, ONE).isForbiddenBy(Check.EFFECT_AFTER_ERROR);
    }

    @Test
    void requestThatWasFlushedMayHaveBeenExecuted() {
        sendsWrite(1);
        story.left.enters(QpState.RTS, QpState.ERR).left.fails(1, WcOpcode.RDMA_WRITE, WcStatus.WR_FLUSH_ERR);
        story.right.places(1, RIGHT + 1, ONE).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.EXECUTED_BUT_FAILED)).isEqualTo(1);
    }
}
