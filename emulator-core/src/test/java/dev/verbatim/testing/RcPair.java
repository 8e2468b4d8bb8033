// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.verbs.QpCapabilities;

/** Two sides, one RC connection: left is the requester of most tests, right the responder. */
public final class RcPair implements AutoCloseable {

    /** The usual connection, but it waits for acknowledgements for ever. */
    public static final RcConnection WITHOUT_TIMER = RcConnection.USUAL.withRetries(0, 7, 7, 12);

    public final Side left;
    public final Side right;
    public final RecordingTap tap;
    private final Runnable closing;

    /** Sides that are not connected yet. */
    public RcPair(Side left, Side right, RecordingTap tap, Runnable closing) {
        this.left = left;
        this.right = right;
        this.tap = tap;
        this.closing = closing;
    }

    /**
     * A connected pair inside this JVM. It waits for acknowledgements for ever, so no timer runs, the fabric has no
     * thread of its own, and what a test posts has been carried out when the verb returns.
     */
    public static RcPair inProcess() {
        return inProcess(QpCapabilities.USUAL).connect(WITHOUT_TIMER);
    }

    /** A pair inside this JVM, not connected yet. */
    public static RcPair inProcess(QpCapabilities capabilities) {
        return over(Verbatim.inProcess(), capabilities);
    }

    /** A pair on one fabric, not connected yet; closed with it. */
    public static RcPair over(Verbatim fabric, QpCapabilities capabilities) {
        RecordingTap tap = new RecordingTap();
        fabric.tap(tap);
        return new RcPair(
                new Side(fabric.open("left"), capabilities),
                new Side(fabric.open("right"), capabilities),
                tap,
                fabric::close);
    }

    /** Takes both queue pairs to RTS. */
    public RcPair connect(RcConnection connection) {
        connection.join(left.qp, right.qp);
        return this;
    }

    @Override
    public void close() {
        closing.run();
    }
}
