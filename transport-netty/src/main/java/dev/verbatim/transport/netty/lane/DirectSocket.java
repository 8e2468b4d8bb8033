// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

/** A socket that any thread on the lane may read and write, besides the loop that has it. */
public interface DirectSocket {

    /**
     * Reads what has come, and writes what the socket did not take before, without asking the loop whether it can. On the lane.
     *
     * @return whether that did for now, so that the loop has nothing to tell
     */
    boolean readNow();

    /**
     * Whether it is the one of this channel or file descriptor, and the loop has nothing to do with it while it is read directly. On
     * the lane.
     */
    boolean isAllOf(Object identity);

    /**
     * The loop is about to close this channel or file descriptor: if it is this socket's, it is neither read nor written any more. On the
     * lane, on the loop.
     */
    void retire(Object identity);

    /** Nobody polls any more: the loop writes what the socket did not take. On the lane, on the loop. */
    void leaveToLoop();
}
