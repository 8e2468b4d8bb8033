// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.RIGHT;

import dev.verbatim.conformance.oracle.report.Check;
import org.junit.jupiter.api.Test;

/** Keys that a device gives out, in traces written by hand. */
class KeyLedgerTest {

    private final Story story = Story.connected();

    @Test
    void noTwoValidKeysAreEqual() {
        story.right.changesKey(KEY, true, RIGHT, RIGHT, 8).isForbiddenBy(Check.KEYS_UNIQUE);
    }

    @Test
    void keyThatTheDeviceChoseDoesNotComeAgainBefore255Others() {
        for (int variant = 0; variant < 256; variant++) {
            story.right.changesKey(0x500 + variant, true, RIGHT, RIGHT, 8);
            story.right.revokes(0x500 + variant);
        }
        story.right.changesKey(0x500, true, RIGHT, RIGHT, 8).isPermitted();
        story.right.revokes(0x500);
        story.right.changesKey(0x502, true, RIGHT, RIGHT, 8).isForbiddenBy(Check.KEY_FRESH);
    }

    @Test
    void indexZeroIsNeverGiven() {
        story.right.changesKey(0x12, true, RIGHT, RIGHT, 8).isForbiddenBy(Check.KEY_INDEX);
    }

    @Test
    void deviceThatLostAllKeysMayBeginAnewWithThem() {
        story.left.revokes().left.changesKey(true).isPermitted();
    }
}
