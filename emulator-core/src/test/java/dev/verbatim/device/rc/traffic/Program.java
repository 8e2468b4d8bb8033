// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import dev.verbatim.RcConnection;
import dev.verbatim.sim.LinkFaults;
import java.util.List;

/**
 * What several queue pairs on both sides of one link ask of each other.
 *
 * @param streams requests in post order; those at even places are asked by left, each of the queue pair with half of that
 *     number, those at odd places by right, of the same queue pairs
 * @param firstPsn of every queue pair
 * @param seed what the link draws its faults from
 */
record Program(List<List<Operation>> streams, RcConnection connection, LinkFaults faults, int firstPsn, long seed) {

    /** Bytes of the area that a stream may write to and read from; the first 64 are its words. */
    static final int TARGET_BYTES = 4096;

    /** Words at the beginning of the target, for atomics. */
    static final int WORDS = 8;

    /** Longest message. */
    static final int LONGEST_BYTES = 1500;

    Program {
        streams = streams.stream().map(List::copyOf).toList();
    }
}
