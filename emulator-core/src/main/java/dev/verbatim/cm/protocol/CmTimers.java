// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.wire.mad.CmTimeout;

/**
 * The timers of one side (CM-12). Times are codes of {@link CmTimeout}.
 *
 * @param packetLifeTime how long a packet may be under way
 * @param responseTimeout how long either side may take to answer
 * @param retries how often a message is repeated that is not answered
 * @param ackDelay how long the device may take for an ACK
 * @param longestTimeout a longer time that a peer asks for counts as this
 */
public record CmTimers(int packetLifeTime, int responseTimeout, int retries, int ackDelay, int longestTimeout) {

    /** The usual {@link #longestTimeout}: 65 s. */
    public static final int USUAL_LONGEST = 24;

    /** Between two requests: the way there and back, and the time that the peer may take to answer. */
    long requestNanos(int lifeTime) {
        return 2 * CmTimeout.nanos(lifeTime) + CmTimeout.nanos(responseTimeout);
    }

    /** What a peer asks for, within bounds. */
    long askedNanos(int code) {
        return askedNanos(code, longestTimeout);
    }

    static long askedNanos(int code, int longest) {
        return CmTimeout.nanos(Math.min(code, longest));
    }

    /**
     * Code of the ACK timeout of a path: twice its life time, and what the device needs, which is not counted if it is small.
     *
     * @param ackDelay code of what the device needs
     * @param lifeTime code of how long a packet is under way at most
     */
    public static int ackTimeout(int ackDelay, int lifeTime) {
        int there = lifeTime + 1;
        int larger = Math.max(there, ackDelay);
        int smaller = Math.min(there, ackDelay);
        return Math.min(CmTimeout.MAX_CODE, smaller >= larger - 1 ? larger + 1 : larger);
    }
}
