// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a flow left behind.
 *
 * @param sends completions of requests, in their order
 * @param receives completions of receives, in their order
 * @param states of both queue pairs
 * @param own memory of the requester
 * @param far memory of the responder
 * @param inbox where messages went, without what is not defined
 * @param isLost whether an unreliable service lost a message
 */
record FlowOutcome(
        List<String> sends,
        List<String> receives,
        String states,
        ByteBuffer own,
        ByteBuffer far,
        ByteBuffer inbox,
        boolean isLost) {

    FlowOutcome {
        sends = List.copyOf(sends);
        receives = List.copyOf(receives);
    }

    /** In what it differs from what was expected; nothing is said of a flow that lost a message. */
    List<String> differencesFrom(FlowOutcome expected) {
        List<String> differences = new ArrayList<>();
        if (isLost) {
            return differences;
        }
        compare("completions of sends", expected.sends, sends, differences);
        compare("completions of receives", expected.receives, receives, differences);
        compare("states", expected.states, states, differences);
        compare("the requester's memory", expected.own, own, differences);
        compare("the responder's memory", expected.far, far, differences);
        compare("messages", expected.inbox, inbox, differences);
        return differences;
    }

    private static void compare(String what, Object expected, Object found, List<String> differences) {
        if (!expected.equals(found)) {
            differences.add(what + ": expected " + expected + " and found " + found);
        }
    }

    private static void compare(String what, ByteBuffer expected, ByteBuffer found, List<String> differences) {
        int at = expected.mismatch(found);
        if (at >= 0) {
            differences.add(what + " differs from byte " + at + " on (slot " + at / Flow.SLOT_BYTES + ")");
        }
    }
}
