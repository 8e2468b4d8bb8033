// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.wire.mad.CmTimeout;

/** How long what takes (CM-12). */
final class Timers {

    private Timers() {}

    /** Between two requests: the way there and back, and the time that the peer may take to answer. */
    static long requestNanos(CmOptions options, int lifeTime) {
        return 2 * CmTimeout.nanos(lifeTime) + CmTimeout.nanos(options.responseTimeout());
    }

    /** What a peer asks for, within bounds. */
    static long askedNanos(CmOptions options, int code) {
        return CmTimeout.nanos(Math.min(code, options.longestTimeout()));
    }

    /**
     * Code of the ACK timeout of a path: twice its life time, and what the device needs, which is not counted if it is small.
     *
     * @param ackDelay code of what the device needs
     * @param lifeTime code of how long a packet is under way at most
     */
    static int ackTimeout(int ackDelay, int lifeTime) {
        int there = lifeTime + 1;
        int larger = Math.max(there, ackDelay);
        int smaller = Math.min(there, ackDelay);
        return Math.min(CmTimeout.MAX_CODE, smaller >= larger - 1 ? larger + 1 : larger);
    }
}
