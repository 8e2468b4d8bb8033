// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.report;

/** Why something could not be judged. */
public enum Gap {
    /** The queue pair was there before the trace began. */
    QUEUE_PAIR_OLDER_THAN_TRACE("its queue pair was there before the trace began"),
    /** The peer's device is not in the trace, or was connected before it began. */
    PEER_NOT_TRACED("the peer is not in the trace"),
    /** One of two connected queue pairs was reset: what the other asked meanwhile may be done again. */
    PEER_WAS_RESET("one of the two queue pairs was reset while the other was not"),
    /** The bytes were read for the first time: whatever stood there is taken for right. */
    FIRST_SIGHT("bytes were seen for the first time"),
    /** Bytes differ from what the trace wrote there, and programs that are not in the trace may have changed them. */
    CHANGED_OUTSIDE("memory may have been changed by programs that are not in the trace"),
    /** A link delivered packets twice or in another order, which a receiver of UC takes for messages that were sent so. */
    LINK_DISTURBS("a link repeated packets or changed their order, and UC does not notice"),
    /** The effects of an untraced peer on its own memory are known only in part. */
    PEER_UNSEEN("the peer may have done it otherwise, and only what it says is known"),
    /** What programs and devices see of the bytes is decided by more than the oracle knows: memory domains, platforms, relaxed ordering. */
    SEVERAL_VIEWS(
            "observers may see different values of bytes in memory domains and regions with relaxed ordering, and the oracle has one; litmus has them all"),
    /** It was too long ago or too much to remember. */
    FORGOTTEN("it was too long ago to be remembered");

    private final String words;

    Gap(String words) {
        this.words = words;
    }

    /** The reason in words. */
    public String words() {
        return words;
    }
}
