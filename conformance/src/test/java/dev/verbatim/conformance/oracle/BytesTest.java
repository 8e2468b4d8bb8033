// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.LEFT;
import static dev.verbatim.conformance.oracle.Story.RIGHT;
import static dev.verbatim.conformance.oracle.Story.word;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Bytes in traces written by hand: who may see which, and when. */
class BytesTest {

    private static final byte[] OLD = {1};
    private static final byte[] NEW = {2};

    private final Story story = Story.connected();

    private void posts(SendWorkRequest request) {
        story.left.posts(request).left.starts(request.id(), (int) request.id(), 1);
    }

    private static SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, RIGHT, KEY, new Sge(LEFT, 1, KEY));
    }

    private static SendWorkRequest read(long id) {
        return SendWorkRequest.read(id, RIGHT, KEY, new Sge(LEFT, 1, KEY));
    }

    private static SendWorkRequest add(long id, long summand) {
        return SendWorkRequest.fetchAndAdd(id, RIGHT, KEY, summand, new Sge(LEFT, 8, KEY));
    }

    /** A WRITE of a byte whose placement programs do not see yet. */
    private void holds(int id, byte... data) {
        posts(write(id));
        story.left.stores(LEFT, data).left.gathers(id, LEFT, data).right.holds(id, RIGHT, data);
    }

    @Test
    void writeMustPlaceWhatWasGathered() {
        posts(write(1));
        story.left.gathers(1, LEFT, OLD).right.places(1, RIGHT, NEW).isForbiddenBy(Check.WRITE_DATA);
    }

    /** What of it is seen is not judged, by whomever; that it is the right data, is. */
    @Test
    void bytesOfWhichThereAreSeveralViewsAreNotJudged() {
        story.right.changesKeyOfSeveralViews();
        holds(1, NEW);
        posts(read(2));
        story.right.fetches(2, RIGHT, OLD).left.returns(2, LEFT, OLD).right.loads(RIGHT, OLD);
        posts(add(3, 1));
        story.right.makes(3, RIGHT, 77).right.shows(1, RIGHT, NEW).right.loads(RIGHT, OLD);
        story.isPermittedAsFarAsItIsJudged(Gap.SEVERAL_VIEWS);
        posts(write(4));
        story.left.gathers(4, LEFT, OLD).right.places(4, RIGHT, NEW).isForbiddenBy(Check.WRITE_DATA);
    }

    @Test
    void wordThatSomeObserversSeeOlderIsNotJudgedButItsNeighbourIs() {
        story.right
                .stores(RIGHT, words(1, 1))
                .right
                .hasObserversBehind(RIGHT, "")
                .right
                .loads(RIGHT, word(1));
        story.isPermitted();
        story.right.hasObserversBehind(RIGHT, "right/gpu0").right.loads(RIGHT, word(0));
        story.isPermittedAsFarAsItIsJudged(Gap.SEVERAL_VIEWS);
        story.right.loads(RIGHT + 8, word(0)).isForbiddenBy(Check.PROGRAM_VIEW);
    }

    @Test
    void sendMustPlaceWhatWasGathered() {
        story.right.posts(ReceiveWorkRequest.of(9, new Sge(RIGHT, 1, KEY)));
        posts(SendWorkRequest.send(1, new Sge(LEFT, 1, KEY)));
        story.left.gathers(1, LEFT, OLD).right.places(1, RIGHT, NEW).isForbiddenBy(Check.SEND_DATA);
    }

    @Test
    void inlineDataAreThoseOfThePosting() {
        SendWorkRequest inline = write(1).plus(SendFlags.INLINE);
        story.left
                .posts(inline)
                .left
                .gathers(-1, LEFT, OLD)
                .left
                .stores(LEFT, NEW)
                .left
                .starts(1, 1, 1);
        story.right.places(1, RIGHT, OLD).isPermitted();
        story.right.loads(RIGHT, NEW).isForbiddenBy(Check.PROGRAM_VIEW);
    }

    @Test
    void inlineRequestMustNotPlaceLaterBytes() {
        SendWorkRequest inline = write(1).plus(SendFlags.INLINE);
        story.left
                .posts(inline)
                .left
                .gathers(-1, LEFT, OLD)
                .left
                .stores(LEFT, NEW)
                .left
                .starts(1, 1, 1);
        story.right.places(1, RIGHT, NEW).isForbiddenBy(Check.WRITE_DATA);
    }

    @Test
    void readMustReturnWhatWasFetched() {
        posts(read(1));
        story.right.fetches(1, RIGHT, OLD).left.returns(1, LEFT, NEW).isForbiddenBy(Check.READ_DATA);
    }

    /** Parts come in any order, and are of the newest gather: one that was given up leaves nothing (ORD-35). */
    @Test
    void writeMayPlaceAMixtureOfWordsThatWereGatheredInParts() {
        posts(SendWorkRequest.write(1, RIGHT, KEY, new Sge(LEFT, 16, KEY)));
        story.left.stores(LEFT, words(1, 1)).left.gathersPart(1, LEFT, 0, word(1));
        story.left.stores(LEFT, words(2, 2)).left.gathersPart(1, LEFT + 8, 8, word(2));
        story.left.stores(LEFT, words(3, 3)).left.gathersPart(1, LEFT, 0, word(3));
        story.right.places(1, RIGHT, words(3, 2)).isPermitted();
        posts(SendWorkRequest.write(2, RIGHT, KEY, new Sge(LEFT, 16, KEY)));
        story.left.gathersPart(2, LEFT + 8, 8, word(3)).left.stores(LEFT, words(4, 4));
        story.left.gathersPart(2, LEFT, 0, word(4));
        story.right.places(2, RIGHT, words(3, 4)).isForbiddenBy(Check.WRITE_DATA);
    }

    @Test
    void readMayReturnAMixtureOfWordsThatWereFetchedInParts() {
        posts(SendWorkRequest.read(1, RIGHT, KEY, new Sge(LEFT, 16, KEY)));
        story.right.stores(RIGHT, words(1, 1)).right.fetchesPart(1, RIGHT + 8, 8, word(1));
        story.right.stores(RIGHT, words(2, 2)).right.fetchesPart(1, RIGHT, 0, word(2));
        story.left.returns(1, LEFT, words(2, 1)).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.FETCHED_IN_PARTS)).isEqualTo(2);
    }

    @Test
    void partsMustNotTearAWord() {
        posts(SendWorkRequest.read(1, RIGHT, KEY, new Sge(LEFT, 16, KEY)));
        story.right.fetchesPart(1, RIGHT, 0, new byte[4]).isForbiddenBy(Check.WHOLE_WORDS);
    }

    @Test
    void gatherMustNotTearAWordOfAnElement() {
        posts(SendWorkRequest.write(1, RIGHT, KEY, new Sge(LEFT, 4, KEY), new Sge(LEFT + 4, 12, KEY)));
        story.left.gathersPart(1, LEFT, 0, new byte[4]).isPermitted();
        story.left.gathersPart(1, LEFT + 4, 4, new byte[4]).isPermitted();
        story.left.gathersPart(1, LEFT + 8, 8, new byte[2]).isForbiddenBy(Check.WHOLE_WORDS);
    }

    private static byte[] words(long first, long second) {
        return ByteBuffer.allocate(16).put(word(first)).put(word(second)).array();
    }

    @Test
    void readMustFetchWhatAnEarlierWritePlaced() {
        posts(write(1));
        posts(read(2));
        story.left.gathers(1, LEFT, NEW).right.places(1, RIGHT, NEW);
        story.right.fetches(2, RIGHT, OLD).isForbiddenBy(Check.DEVICE_VIEW);
    }

    @Test
    void readMayReturnEitherOfTwoFetches() {
        posts(read(1));
        story.right.fetches(1, RIGHT, OLD).right.stores(RIGHT, NEW).right.fetches(1, RIGHT, NEW);
        story.left.returns(1, LEFT, OLD).isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.READ_AGAIN)).isEqualTo(1);
    }

    @Test
    void gatherMustSeeWhatAReadReturned() {
        posts(read(1));
        story.right.fetches(1, RIGHT, NEW).left.returns(1, LEFT, NEW);
        posts(write(2));
        story.left.gathers(2, LEFT, OLD).isForbiddenBy(Check.DEVICE_VIEW);
    }

    @Test
    void addMustAdd() {
        posts(add(1, 2));
        story.right.stores(RIGHT, word(-1)).right.makes(1, RIGHT, 1).isPermitted();
        posts(add(2, 2));
        story.right.makes(2, RIGHT, 4).isForbiddenBy(Check.ATOMIC_RESULT);
    }

    @Test
    void swapMustCompare() {
        posts(SendWorkRequest.compareAndSwap(1, RIGHT, KEY, 5, 6, new Sge(LEFT, 8, KEY)));
        story.right.stores(RIGHT, word(7)).right.makes(1, RIGHT, 6).isForbiddenBy(Check.ATOMIC_RESULT);
    }

    @Test
    void atomicMustReturnWhatItFound() {
        posts(add(1, 2));
        story.right
                .stores(RIGHT, word(5))
                .right
                .makes(1, RIGHT, 7)
                .left
                .returns(1, LEFT, word(5))
                .isPermitted();
        posts(add(2, 2));
        story.right.makes(2, RIGHT, 9).left.returns(2, LEFT, word(5)).isForbiddenBy(Check.ATOMIC_SERIAL);
    }

    @Test
    void originalOfAnAddIsKnownFromItsResult() {
        posts(add(1, 2));
        story.right.makes(1, RIGHT, 7).left.returns(1, LEFT, word(4)).isForbiddenBy(Check.ATOMIC_SERIAL);
    }

    @Test
    void bytesMustLandWhereTheRequestHasThem() {
        posts(write(1));
        story.left.gathers(1, LEFT, OLD).right.places(1, RIGHT, OLD).isPermitted();
        posts(SendWorkRequest.write(2, RIGHT + 1, KEY, new Sge(LEFT, 1, KEY)));
        story.left.gathers(2, LEFT, OLD).right.places(2, RIGHT + 2, OLD).isForbiddenBy(Check.ADDRESS);
    }

    @Test
    void bytesMustBeInsideOfWhatTheKeyIsFor() {
        long end = RIGHT + Story.REGION_BYTES;
        posts(SendWorkRequest.write(1, end, KEY, new Sge(LEFT, 1, KEY)));
        story.left.gathers(1, LEFT, OLD).right.places(1, end, OLD).isForbiddenBy(Check.ADDRESS);
    }

    @Test
    void heldBytesAreSeenByTheDeviceAndNotByPrograms() {
        story.right.stores(RIGHT, OLD);
        holds(1, NEW);
        posts(read(2));
        story.right.loads(RIGHT, OLD).right.fetches(2, RIGHT, NEW).isPermitted();
        story.right.shows(1, RIGHT, NEW).right.loads(RIGHT, NEW).isPermitted();
        story.right.loads(RIGHT, OLD).isForbiddenBy(Check.PROGRAM_VIEW);
    }

    @Test
    void programsMustNotSeeHeldBytes() {
        story.right.stores(RIGHT, OLD);
        holds(1, NEW);
        story.right.loads(RIGHT, NEW).isForbiddenBy(Check.PROGRAM_VIEW);
    }

    @Test
    void deviceMustSeeHeldBytes() {
        story.right.stores(RIGHT, OLD);
        holds(1, NEW);
        posts(read(2));
        story.right.fetches(2, RIGHT, OLD).isForbiddenBy(Check.DEVICE_VIEW);
    }

    @Test
    void newerBytesMustNotBeShownFirst() {
        holds(1, OLD);
        holds(2, NEW);
        story.isPermitted();
        story.right.shows(2, RIGHT, NEW).isForbiddenBy(Check.PROGRAM_VIEW);
    }

    @Test
    void heldBytesAreShownWhenTheirQueuePairIsReset() {
        holds(1, OLD);
        story.right
                .enters(QpState.RTS, QpState.RESET)
                .right
                .shows(1, RIGHT, OLD)
                .right
                .loads(RIGHT, OLD)
                .isPermitted();
    }

    @Test
    void readOfNothingPromisesThatProgramsSeeTheWriteBeforeIt() {
        holds(1, OLD);
        posts(SendWorkRequest.read(2, RIGHT, KEY));
        story.left.completes(1, WcOpcode.RDMA_WRITE, 0).isPermitted();
        story.left.completes(2, WcOpcode.RDMA_READ, 0).isForbiddenBy(Check.VISIBLE_WHEN_PROMISED);
    }

    @Test
    void otherBytesMayBeShownFirst() {
        holds(1, OLD);
        posts(SendWorkRequest.write(2, RIGHT + 1, KEY, new Sge(LEFT, 1, KEY)));
        story.left
                .gathers(2, LEFT, OLD)
                .right
                .holds(2, RIGHT + 1, OLD)
                .right
                .shows(2, RIGHT + 1, OLD)
                .isPermitted();
        assertThat(story.verdict().count(WeakBehaviour.PLACED_OUT_OF_ORDER)).isEqualTo(1);
    }

    @Test
    void bytesAreShownOnce() {
        holds(1, OLD);
        story.right.shows(1, RIGHT, OLD).isPermitted();
        story.right.shows(1, RIGHT, OLD).isForbiddenBy(Check.PROGRAM_VIEW);
    }

    @Test
    void atomicMustNotBeDoneOverHeldBytes() {
        story.right.stores(RIGHT, word(0));
        holds(1, NEW);
        posts(add(2, 1));
        story.right.makes(2, RIGHT, 3).isForbiddenBy(Check.PROGRAM_VIEW);
    }

    @Test
    void readMustNotCompleteBeforeProgramsSeeItsResult() {
        posts(read(1));
        story.right.fetches(1, RIGHT, OLD).left.holdsResult(1, LEFT, OLD).isPermitted();
        story.left.completes(1, WcOpcode.RDMA_READ, 1).isForbiddenBy(Check.COMPLETION_AFTER_EFFECT);
    }

    @Test
    void readMustNotCompleteBeforeProgramsSeeTheWriteBeforeIt() {
        holds(1, NEW);
        posts(read(2));
        story.right.fetches(2, RIGHT, NEW).left.returns(2, LEFT, NEW).left.completes(1, WcOpcode.RDMA_WRITE, 0);
        story.isPermitted();
        story.left.completes(2, WcOpcode.RDMA_READ, 1).isForbiddenBy(Check.VISIBLE_WHEN_PROMISED);
    }

    @Test
    void revokedKeyMustNotBeUsed() {
        posts(write(1));
        story.left.gathers(1, LEFT, OLD).right.revokes();
        story.right.places(1, RIGHT, OLD).isForbiddenBy(Check.REVOKED);
    }

    @Test
    void revokedKeyMustNotBeGatheredBy() {
        posts(write(1));
        story.left.revokes().left.gathers(1, LEFT, OLD).isForbiddenBy(Check.REVOKED);
    }

    @Test
    void nothingIsShownThatARevokedKeyPlaced() {
        holds(1, NEW);
        story.right.revokes().isPermitted();
        story.right.shows(1, RIGHT, NEW).isForbiddenBy(Check.REVOKED);
    }

    @Test
    void queuePairOlderThanTheTraceIsNotJudged() {
        Story late = Story.empty();
        late.left
                .posts(write(1))
                .left
                .starts(1, 1, 1)
                .left
                .gathers(1, LEFT, OLD)
                .right
                .places(1, RIGHT, NEW);
        late.left
                .completes(7, WcOpcode.RDMA_WRITE, 0)
                .left
                .enters(QpState.RTS, QpState.SQD)
                .isPermitted();
        assertThat(late.verdict().count(Gap.QUEUE_PAIR_OLDER_THAN_TRACE)).isPositive();
        assertThat(late.verdict().count(Gap.PEER_NOT_TRACED)).isPositive();
    }

    @Test
    void bytesThatUntracedProgramsMayHaveChangedAreNotJudged() {
        posts(write(1));
        story.left.gathers(1, LEFT, OLD).left.gathers(1, LEFT, NEW).right.places(1, RIGHT, NEW);
        posts(read(2));
        story.right.fetches(2, RIGHT, OLD);
        Verdict verdict = Oracle.ofDevices().read(story.events).verdict();
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.count(Gap.CHANGED_OUTSIDE)).isEqualTo(2);
        assertThat(story.verdict().violationCount()).isEqualTo(2);
    }

    /** The word is what the swap would make of it, since the program put back what it compares with. */
    @Test
    void atomicOnAWordThatUntracedProgramsMayHaveChangedIsNotJudged() {
        for (int id = 1; id <= 2; id++) {
            posts(SendWorkRequest.compareAndSwap(id, RIGHT, KEY, 0, 1, new Sge(LEFT, 8, KEY)));
            story.right.makes(id, RIGHT, 1).left.returns(id, LEFT, word(0));
        }
        assertThat(Oracle.ofDevices().read(story.events).verdict().violations()).isEmpty();
        story.isForbiddenBy(Check.ATOMIC_SERIAL);
    }

    /** Its device was gone without a word, and the peer, who does not know, goes on. */
    @Test
    void otherLifeOfThePeerIsJudgedByWhatItDoesItself() {
        posts(write(1));
        story.left.gathers(1, LEFT, OLD).right.places(1, RIGHT, OLD);
        story.right.revokes();
        story.right.connects(story.left);
        story.right.places(1, RIGHT, OLD).isPermitted();
        posts(write(2));
        story.left.gathers(2, LEFT, OLD).right.places(2, RIGHT, OLD).isPermitted();
        story.right.places(2, RIGHT, OLD).isForbiddenBy(Check.PLACED_ONCE);
    }

    @Test
    void whatTheResetOfThePeerMadePossibleIsNotJudged() {
        posts(write(1));
        story.left.gathers(1, LEFT, OLD).right.places(1, RIGHT, OLD).right.enters(QpState.RTS, QpState.RESET);
        story.right
                .places(1, RIGHT, OLD)
                .left
                .completes(1, WcOpcode.RDMA_WRITE, 0)
                .isPermitted();
        assertThat(story.verdict().count(Gap.PEER_NOT_TRACED)).isPositive();
    }
}
