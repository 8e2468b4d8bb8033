// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.LEFT;
import static dev.verbatim.conformance.oracle.Story.REGION_BYTES;
import static dev.verbatim.conformance.oracle.Story.RIGHT;
import static dev.verbatim.conformance.oracle.Story.word;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.wire.Opcode;
import org.junit.jupiter.api.Test;

/** Keys of windows in traces written by hand: which a window may have, and what may be touched by them. */
class WindowKeyTest extends WindowKeyFixture {

    private static final byte[] TWO = {1, 1};

    private Story completes(WcOpcode opcode) {
        return story.right.completes(requests, opcode, 0);
    }

    @Test
    void windowIsUsedWithinItsRangeByItsRights() {
        binds(window, BOUND, HALF);
        sendsWrite(1, RIGHT + 127, BOUND);
        story.right.by(BOUND).places(1, RIGHT + 127, ONE).isPermitted();
    }

    @Test
    void nothingIsTouchedOutsideOfTheWindow() {
        binds(window, BOUND, HALF);
        sendsWrite(1, RIGHT + 128, BOUND);
        story.right.by(BOUND).places(1, RIGHT + 128, ONE).isForbiddenBy(Check.WINDOW_RANGE);
    }

    @Test
    void zeroBasedWindowCountsFromItsFirstByte() {
        binds(window, BOUND, new BindInfo(REGION, RIGHT + 16, 8, RIGHTS | AccessFlags.ZERO_BASED));
        sendsWrite(1, 7, BOUND);
        story.right.by(BOUND).places(1, RIGHT + 23, ONE).isPermitted();
        sendsWrite(2, 0, BOUND);
        story.right.by(BOUND).places(2, RIGHT, ONE).isForbiddenBy(Check.WINDOW_RANGE);
    }

    @Test
    void nothingIsDoneThatTheWindowGivesNoRightTo() {
        binds(window, BOUND, new BindInfo(REGION, RIGHT, 128, AccessFlags.REMOTE_READ));
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_RIGHTS);
    }

    @Test
    void atomicNeedsARightOfItsOwn() {
        binds(window, BOUND, HALF);
        story.left.posts(SendWorkRequest.fetchAndAdd(1, RIGHT, BOUND, 1, new Sge(LEFT, 8, KEY)));
        story.left.starts(1, 1, 1);
        story.right.by(BOUND).makes(1, RIGHT, 1).isForbiddenBy(Check.WINDOW_RIGHTS);
    }

    @Test
    void windowOfTypeTwoIsUsedOverNoOtherQueuePair() {
        story.right.over(0x22).joins(story.left.over(0x21));
        story.left.over(0x21).joins(story.right.over(0x22));
        binds(window, BOUND, HALF);
        SendWorkRequest write = SendWorkRequest.write(1, RIGHT, BOUND, new Sge(LEFT, 1, KEY));
        story.left.over(0x21).posts(write).left.over(0x21).starts(1, 1, 1);
        story.left.over(0x21).gathers(1, LEFT, ONE);
        story.right.over(0x22).by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_OF_ANOTHER);
    }

    @Test
    void windowOfTypeOneIsUsedOverEachQueuePair() {
        story.right.over(0x22).joins(story.left.over(0x21));
        story.left.over(0x21).joins(story.right.over(0x22));
        binds(ofTypeOne, 0x80000102, HALF);
        SendWorkRequest write = SendWorkRequest.write(1, RIGHT, 0x80000102, new Sge(LEFT, 1, KEY));
        story.left.over(0x21).posts(write).left.over(0x21).starts(1, 1, 1);
        story.left.over(0x21).gathers(1, LEFT, ONE);
        story.right.over(0x22).by(0x80000102).places(1, RIGHT, ONE).isPermitted();
    }

    @Test
    void anotherLifeOfTheQueuePairInheritsNoWindow() {
        binds(window, BOUND, HALF);
        story.right.enters(QpState.RTS, QpState.RESET).left.enters(QpState.RTS, QpState.RESET);
        story.left.joins(story.right);
        story.right.joins(story.left);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_OF_ANOTHER);
    }

    @Test
    void nothingIsTouchedByAKeyThatAWindowWillHave() {
        starts(window.bind(1, BOUND, HALF));
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_UNBOUND);
    }

    @Test
    void keyOfAWindowIsNoLocalKey() {
        binds(window, BOUND, HALF);
        story.right.posts(SendWorkRequest.write(2, LEFT, KEY, new Sge(RIGHT, 1, BOUND)));
        story.right.starts(2, 1, 1);
        story.right.by(BOUND).gathers(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_KEY_AS_LOCAL);
    }

    @Test
    void keyOfAWindowIsNoKeyOfAReceive() {
        binds(window, BOUND, HALF);
        story.right.posts(ReceiveWorkRequest.of(9, new Sge(RIGHT, 1, BOUND)));
        story.left.posts(SendWorkRequest.send(1, new Sge(LEFT, 1, KEY)));
        story.left.starts(1, 1, 1).left.gathers(1, LEFT, ONE);
        story.right.by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_KEY_AS_LOCAL);
    }

    @Test
    void windowWhoseRegionIsGoneLeadsNowhere() {
        binds(window, BOUND, HALF).right.revokes();
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_ORPHANED);
    }

    @Test
    void windowThatIsLargerThanItsRegionDoesNotReachBeyondIt() {
        binds(window, BOUND, new BindInfo(REGION, RIGHT, REGION_BYTES + 1, RIGHTS));
        sendsWrite(1, RIGHT + REGION_BYTES, BOUND);
        story.right.by(BOUND).places(1, RIGHT + REGION_BYTES, ONE).isForbiddenBy(Check.WINDOW_IN_REGION);
    }

    @Test
    void nothingIsTouchedByAKeyThatWasInvalidated() {
        binds(window, BOUND, HALF);
        invalidates(BOUND);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_REVOKED);
    }

    @Test
    void nothingIsTouchedByTheOldKeyOfAWindowThatWasBoundAgain() {
        binds(ofTypeOne, 0x80000102, HALF);
        story.right.revokes(0x80000102);
        binds(ofTypeOne, 0x80000103, HALF).isPermitted();
        sendsWrite(1, RIGHT, 0x80000102);
        story.right.by(0x80000102).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_REVOKED);
    }

    @Test
    void nothingIsTouchedByTheKeyOfAWindowThatIsGone() {
        binds(window, BOUND, HALF);
        story.right.revokes(BOUND).right.deallocates(window, BOUND);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_GONE);
    }

    @Test
    void windowIsNotDeallocatedWhileItsKeyIsValid() {
        binds(window, BOUND, HALF);
        story.right.deallocates(window, BOUND).isForbiddenBy(Check.WINDOW_GONE);
    }

    @Test
    void whatAWindowPlacedIsNotShownWhenItIsGone() {
        binds(window, BOUND, HALF);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).holds(1, RIGHT, ONE).right.revokes(BOUND).right.deallocates(window, BOUND);
        story.right.shows(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_GONE);
    }

    @Test
    void whatAWindowPlacedMayBeShownBeforeItsInvalidationCompletes() {
        binds(window, BOUND, HALF);
        completes(WcOpcode.BIND_MW);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).holds(1, RIGHT, ONE);
        invalidates(BOUND).right.shows(1, RIGHT, ONE);
        completes(WcOpcode.LOCAL_INV).isPermitted();
    }

    @Test
    void invalidationMustNotCompleteBeforeProgramsSeeWhatTheWindowPlaced() {
        binds(window, BOUND, HALF);
        completes(WcOpcode.BIND_MW);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).holds(1, RIGHT, ONE);
        invalidates(BOUND);
        completes(WcOpcode.LOCAL_INV).isForbiddenBy(Check.WINDOW_REVOKED);
    }

    @Test
    void rebindMustNotCompleteBeforeProgramsSeeWhatTheWindowPlaced() {
        binds(ofTypeOne, 0x80000102, HALF);
        completes(WcOpcode.BIND_MW);
        sendsWrite(1, RIGHT, 0x80000102);
        story.right.by(0x80000102).holds(1, RIGHT, ONE).right.revokes(0x80000102);
        binds(ofTypeOne, 0x80000103, HALF);
        completes(WcOpcode.BIND_MW).isForbiddenBy(Check.WINDOW_REVOKED);
    }

    @Test
    void receiveMustNotCompleteBeforeProgramsSeeWhatItsMessageRevoked() {
        story.right.over(0x22).joins(story.left.over(0x21));
        binds(window, BOUND, HALF);
        story.right.posts(ReceiveWorkRequest.of(9));
        sendsWrite(1, RIGHT, BOUND);
        story.left.posts(SendWorkRequest.sendWithInvalidate(2, BOUND)).left.starts(2, 2, 1);
        story.right.by(BOUND).holds(1, RIGHT, ONE).right.isInvalidated(window, BOUND);
        story.right.completes(9, WcOpcode.RECV, 0);
        assertThat(story.verdict().violations())
                .extracting(Violation::check)
                .containsExactly(Check.VISIBLE_WHEN_PROMISED, Check.WINDOW_REVOKED);
    }

    @Test
    void whatAWindowPlacedIsNotShownWhenItsRegionIsGone() {
        binds(window, BOUND, HALF);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).holds(1, RIGHT, ONE);
        invalidates(BOUND).right.revokes();
        story.right.shows(1, RIGHT, ONE).isForbiddenBy(Check.REVOKED);
    }

    @Test
    void messageDoesNotGoOnUnderAnotherBindingWithTheSameKey() {
        binds(window, BOUND, HALF);
        story.left.posts(SendWorkRequest.write(1, RIGHT, BOUND, new Sge(LEFT, 2, KEY)));
        story.left.starts(1, 1, 1).left.gathers(1, LEFT, TWO);
        story.right.by(BOUND).places(1, RIGHT, ONE);
        invalidates(BOUND);
        binds(window, BOUND, HALF).isPermitted();
        story.right.by(BOUND).places(1, RIGHT + 1, ONE).isForbiddenBy(Check.ONE_BINDING);
    }

    /** A WRITE of two packets over UC: a link repeats the first, which came by a binding that has another by now. */
    private void firstPacketCameByAnEarlierBinding(byte... first) {
        BindInfo all = new BindInfo(REGION, RIGHT, REGION_BYTES, RIGHTS);
        binds(window, BOUND, all);
        story.left.posts(SendWorkRequest.write(1, RIGHT, BOUND, new Sge(LEFT, first.length + 1, KEY)));
        story.left.starts(1, 1, 2).left.gathers(1, LEFT, first).left.gathers(2, LEFT + first.length, ONE);
        story.left.sends(Opcode.UC_RDMA_WRITE_FIRST, 1).left.isRepeated(Opcode.UC_RDMA_WRITE_FIRST, 1);
        story.left.sends(Opcode.UC_RDMA_WRITE_LAST, 2);
        story.right
                .receives(Opcode.UC_RDMA_WRITE_FIRST, 1, story.left)
                .right
                .by(BOUND)
                .places(1, RIGHT, first);
        invalidates(BOUND);
        binds(window, BOUND, all).isPermitted();
    }

    @Test
    void firstPacketThatALinkRepeatsOverUcBeginsAMessageUnderTheBindingThatItFinds() {
        byte[] first = new byte[256];
        firstPacketCameByAnEarlierBinding(first);
        story.right
                .receives(Opcode.UC_RDMA_WRITE_FIRST, 1, story.left)
                .right
                .by(BOUND)
                .places(1, RIGHT, first);
        story.right.by(BOUND).places(2, RIGHT + first.length, ONE).isPermitted();
    }

    @Test
    void messageOverUcDoesNotGoOnUnderAnotherBindingThoughALinkRepeats() {
        byte[] first = new byte[256];
        firstPacketCameByAnEarlierBinding(first);
        story.right.by(BOUND).places(2, RIGHT + first.length, ONE).isForbiddenBy(Check.ONE_BINDING);
    }

    @Test
    void heldBytesOfAnEarlierBindingAreNotThoseOfALaterOneWithTheSameKey() {
        binds(window, BOUND, HALF);
        sendsWrite(1, RIGHT, BOUND);
        story.right.by(BOUND).holds(1, RIGHT, ONE).right.revokes(BOUND).right.deallocates(window, BOUND);
        StoryWindow next = new StoryWindow(3, MemoryWindowType.TYPE_2, 0x80000007);
        story.right.allocates(next);
        binds(next, BOUND, HALF).isPermitted();
        story.right.shows(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_GONE);
    }

    @Test
    void windowHasTheRightsThatItsBindAskedFor() {
        starts(window.bind(1, BOUND, HALF));
        story.right.changesKey(BOUND, true, RIGHT, RIGHT, 128);
        story.right
                .tellsBound(window, BOUND, new BindInfo(REGION, RIGHT, 128, RIGHTS | AccessFlags.REMOTE_ATOMIC))
                .isForbiddenBy(Check.BOUND_AS_ASKED);
    }

    @Test
    void invalidationNeedsAllOfTheKey() {
        binds(window, BOUND, HALF);
        starts(SendWorkRequest.localInvalidate(++requests, OTHER));
        story.right.invalidates(window, BOUND).isForbiddenBy(Check.INVALIDATED_OWN);
    }

    @Test
    void windowOfTypeOneIsNotInvalidated() {
        binds(ofTypeOne, 0x80000102, HALF);
        starts(SendWorkRequest.localInvalidate(++requests, 0x80000102));
        story.right.invalidates(ofTypeOne, 0x80000102).isForbiddenBy(Check.INVALIDATED_OWN);
    }

    @Test
    void windowIsInvalidatedOnlyOverTheQueuePairThatBoundIt() {
        story.right.over(0x22).joins(story.left.over(0x21));
        binds(window, BOUND, HALF);
        story.right
                .over(0x22)
                .posts(SendWorkRequest.localInvalidate(1, BOUND))
                .right
                .over(0x22)
                .starts(1, 1, 0);
        story.right.over(0x22).invalidates(window, BOUND).isForbiddenBy(Check.INVALIDATED_OWN);
    }

    @Test
    void invalidationOfAFreeWindowMaySucceed() {
        binds(window, BOUND, HALF);
        invalidates(BOUND);
        starts(SendWorkRequest.localInvalidate(++requests, BOUND));
        story.right.completes(1, WcOpcode.BIND_MW, 0).right.completes(2, WcOpcode.LOCAL_INV, 0);
        completes(WcOpcode.LOCAL_INV).isPermitted();
    }

    @Test
    void windowIsInvalidatedByAPeerOnlyOfTheQueuePairThatBoundIt() {
        story.right.over(0x22).joins(story.left.over(0x21));
        story.left.over(0x21).joins(story.right.over(0x22));
        binds(window, BOUND, HALF);
        story.left
                .over(0x21)
                .posts(SendWorkRequest.sendWithInvalidate(1, BOUND))
                .left
                .over(0x21)
                .starts(1, 1, 1);
        story.right.over(0x22).isInvalidated(window, BOUND).isForbiddenBy(Check.REMOTELY_INVALIDATED_OWN);
    }

    @Test
    void invalidationMeansThatTheKeyIsNotValidAnyMore() {
        binds(window, BOUND, HALF);
        story.left.posts(SendWorkRequest.sendWithInvalidate(1, BOUND)).left.starts(1, 1, 1);
        story.right.tellsInvalidated(window, BOUND).isForbiddenBy(Check.REMOTELY_INVALIDATED_OWN);
    }

    @Test
    void whatFollowsOnAnIndexHasAnotherKey() {
        binds(window, BOUND, HALF);
        story.right.revokes(BOUND).right.deallocates(window, BOUND);
        story.right
                .allocates(new StoryWindow(3, MemoryWindowType.TYPE_2, BOUND))
                .isForbiddenBy(Check.KEY_RECYCLED);
    }

    @Test
    void readThroughAWindowIsFetchedWithinIt() {
        binds(window, BOUND, HALF);
        story.left.posts(SendWorkRequest.read(1, RIGHT + 127, BOUND, new Sge(LEFT, 2, KEY)));
        story.left.starts(1, 1, 1);
        story.right.by(BOUND).fetches(1, RIGHT + 127, TWO).isForbiddenBy(Check.WINDOW_RANGE);
    }

    @Test
    void atomicThroughAWindowIsWhereTheRequestHasIt() {
        binds(window, BOUND, new BindInfo(REGION, RIGHT, 128, AccessFlags.REMOTE_ATOMIC));
        story.left.posts(SendWorkRequest.fetchAndAdd(1, RIGHT, BOUND, 1, new Sge(LEFT, 8, KEY)));
        story.left.starts(1, 1, 1);
        story.right.stores(RIGHT, word(1)).right.by(BOUND).makes(1, RIGHT, 2).isPermitted();
    }
}
