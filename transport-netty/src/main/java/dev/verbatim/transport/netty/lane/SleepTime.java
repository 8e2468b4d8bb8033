// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

/**
 * How long a loop sleeps between two looks at its sockets while programs poll. The loop takes a processor from somebody each time that it
 * wakes up, on a machine with few of them from a program that polls, so it sleeps longer as long as it finds nothing to do.
 */
final class SleepTime {

    /** The operating system adds about as much. */
    static final long SHORTEST_NANOS = 50_000;

    /** What comes when a program has just ceased to poll may wait so long. */
    static final long LONGEST_NANOS = 400_000;

    private long nanos = SHORTEST_NANOS;

    long nanos() {
        return nanos;
    }

    /** The loop found nothing to do. */
    void lengthen() {
        nanos = Math.min(2 * nanos, LONGEST_NANOS);
    }

    /** It found something, or programs do not poll any more. */
    void shortest() {
        nanos = SHORTEST_NANOS;
    }
}
