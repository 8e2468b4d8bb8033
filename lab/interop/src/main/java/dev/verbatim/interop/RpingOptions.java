// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import java.time.Duration;

/**
 * What {@link Rping} does.
 *
 * @param sizeBytes bytes of a ping, {@value #LEAST_BYTES} to {@value #MOST_BYTES}
 * @param count pings of the client
 * @param validate whether the client compares what the server wrote back with what it sent
 * @param verbose whether each ping is reported
 * @param patience longest wait for the peer, at each step
 */
public record RpingOptions(int sizeBytes, int count, boolean validate, boolean verbose, Duration patience) {

    /** The port at which {@code rping -s} listens. */
    public static final int USUAL_PORT = 7174;

    static final int LEAST_BYTES = 32;
    static final int MOST_BYTES = 65_536;

    /** Checks the ranges. */
    public RpingOptions {
        if (sizeBytes < LEAST_BYTES || sizeBytes > MOST_BYTES) {
            throw new InteropException("size=" + sizeBytes + " is not in " + LEAST_BYTES + ".." + MOST_BYTES);
        }
        if (count < 1) {
            throw new InteropException("count=" + count + " must be at least 1");
        }
    }
}
