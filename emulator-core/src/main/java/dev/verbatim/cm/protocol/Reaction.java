// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

/** What a connection does about a {@link Stimulus}. */
public enum Reaction {
    NOTHING,
    /** The call fails: EINVAL. */
    REFUSE,
    /** Sends the request, and repeats it. */
    SEND_REQ,
    /** Sends the answer, and repeats it. */
    SEND_REP,
    /** Confirms. */
    SEND_RTU,
    /** Confirms again, in the same words. */
    REPEAT_RTU,
    /** Tells a peer that repeats its message that the answer takes longer. */
    SEND_MRA,
    /** Waits for as long as the peer asked for. */
    WAIT_LONGER,
    /** Refuses, for the application's reason. */
    SEND_REJ,
    /** Withdraws the request: REJ with reason 4. */
    GIVE_UP,
    /** Ends the connection, and repeats that. */
    SEND_DREQ,
    /** Ends the connection, and does not wait for an answer. */
    SEND_LAST_DREQ,
    /** Confirms the end. */
    SEND_DREP,
    /** Confirms the end again. */
    REPEAT_DREP,
    /** The peer's answer waits for the application. */
    TELL_ANSWER,
    /** Event ESTABLISHED. */
    TELL_ESTABLISHED,
    /** Event REJECTED. */
    TELL_REJECTED,
    /** Event UNREACHABLE. */
    TELL_UNREACHABLE,
    /** Event DISCONNECTED; the peer waits for a DREP. */
    TELL_PEER_LEFT,
    /** Event DISCONNECTED, unless there was one. */
    TELL_OVER,
    /** Event DISCONNECTED, which says that the peer did not answer. */
    TELL_CUT_OFF,
    /** Event TIMEWAIT_EXIT, if there was a DISCONNECTED. */
    TELL_TIMEWAIT_EXIT,
    /** Event REJECTED: the peer gave up before the application answered. */
    TELL_WITHDRAWN
}
