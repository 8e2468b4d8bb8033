// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.REGION_BYTES;
import static dev.verbatim.conformance.oracle.Story.RIGHT;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.Test;

/** Keys, ranges and rights that a bind gives a window. */
class WindowBindKeyTest extends WindowKeyFixture {

    @Test
    void windowOfTypeTwoMustNotBeBoundWhileItIsBound() {
        binds(window, BOUND, HALF);
        binds(window, OTHER, HALF).isForbiddenBy(Check.BOUND_WHEN_FREE);
    }

    @Test
    void windowOfTypeTwoMayBeBoundWithTheKeyThatItHad() {
        binds(window, BOUND, HALF);
        invalidates(BOUND);
        binds(window, BOUND, HALF).isPermitted();
    }

    @Test
    void windowOfTypeTwoHasTheKeyThatItsBindAskedFor() {
        starts(window.bind(1, BOUND, HALF));
        story.right.changesKey(OTHER, true, RIGHT, RIGHT, 128);
        story.right.tellsBound(window, OTHER, HALF).isForbiddenBy(Check.KEY_CHOSEN);
    }

    @Test
    void windowOfTypeOneHasTheKeyThatItsBindAskedFor() {
        starts(ofTypeOne.bind(1, 0x80000102, HALF));
        story.right.changesKey(0x80000103, true, RIGHT, RIGHT, 128);
        story.right.tellsBound(ofTypeOne, 0x80000103, HALF).isForbiddenBy(Check.KEY_ADVANCES);
    }

    @Test
    void eachBindOfAWindowOfTypeOneAsksForTheNextKey() {
        binds(ofTypeOne, 0x80000102, HALF);
        story.right.posts(ofTypeOne.bind(2, 0x80000104, HALF)).isForbiddenBy(Check.KEY_ADVANCES);
    }

    @Test
    void keyOfAWindowOfTypeOneAdvancesByBindsThatFailToo() {
        starts(ofTypeOne.bind(1, 0x80000102, HALF));
        story.right.posts(ofTypeOne.bind(2, 0x80000103, HALF)).right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.BIND_MW, WcStatus.MW_BIND_ERR);
        story.right.fails(2, WcOpcode.BIND_MW, WcStatus.WR_FLUSH_ERR);
        story.right.posts(ofTypeOne.bind(3, 0x80000104, HALF)).isPermitted();
        story.right.posts(ofTypeOne.bind(4, 0x80000106, HALF)).isForbiddenBy(Check.KEY_ADVANCES);
    }

    @Test
    void keyOfAWindowOfTypeOneMayBeRestoredWhenABindFailed() {
        starts(ofTypeOne.bind(1, 0x80000102, HALF));
        story.right.enters(QpState.RTS, QpState.ERR);
        story.right.fails(1, WcOpcode.BIND_MW, WcStatus.MW_BIND_ERR);
        story.right.posts(ofTypeOne.bind(2, 0x80000102, HALF)).isPermitted();
    }

    @Test
    void keyOfAWindowOfTypeOneComesRoundAfter256Binds() {
        int key = ofTypeOne.rkey();
        for (int i = 0; i < 300; i++) {
            if (i > 0) {
                story.right.revokes(key);
            }
            key = (key & 0xffffff00) | ((key + 1) & 0xff);
            binds(ofTypeOne, key, HALF);
        }
        story.isPermitted();
    }

    @Test
    void oldKeyIsDeadBeforeTheNewOneOfAWindowOfTypeOneLives() {
        binds(ofTypeOne, 0x80000102, HALF);
        binds(ofTypeOne, 0x80000103, HALF).isForbiddenBy(Check.REBOUND_AT_ONCE);
    }

    @Test
    void windowOfTypeOneThatIsBoundToNothingHasNoValidKey() {
        binds(ofTypeOne, 0x80000102, HALF);
        starts(ofTypeOne.bind(++requests, 0x80000103, BindInfo.NOTHING));
        story.right.revokes(0x80000102).right.unbinds(ofTypeOne, 0x80000103).isPermitted();
        sendsWrite(1, RIGHT, 0x80000103);
        story.right.by(0x80000103).places(1, RIGHT, ONE).isForbiddenBy(Check.WINDOW_UNBOUND);
    }

    @Test
    void windowHasTheRangeThatItsBindAskedFor() {
        starts(window.bind(1, BOUND, HALF));
        story.right.changesKey(BOUND, true, RIGHT, RIGHT, 128);
        story.right
                .tellsBound(window, BOUND, new BindInfo(REGION, RIGHT, 127, RIGHTS))
                .isForbiddenBy(Check.BOUND_AS_ASKED);
    }

    @Test
    void keyOfAWindowUnderstandsTheRangeThatItsBindAskedFor() {
        starts(window.bind(1, BOUND, HALF));
        story.right.changesKey(BOUND, true, RIGHT, RIGHT, REGION_BYTES);
        story.right.tellsBound(window, BOUND, HALF).isForbiddenBy(Check.BOUND_AS_ASKED);
    }
}
