// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.verbs.Device;

/** Two connected sides, for tests and first steps. */
public record RcPair(RcPeer left, RcPeer right) implements AutoCloseable {

    /**
     * Creates an {@link RcPeer} on each device, which may be the same, and connects them with {@link
     * RcConnection#USUAL}.
     */
    public static RcPair connect(Device left, Device right) {
        return new RcPair(RcPeer.open(left), RcPeer.open(right)).join(RcConnection.USUAL);
    }

    /** Connects the queue pairs. */
    public RcPair join(RcConnection connection) {
        connection.join(left.qp(), right.qp());
        return this;
    }

    /** Closes the objects created by {@link #connect} and the devices. */
    @Override
    public void close() {
        left.release();
        right.release();
        left.device().close();
        if (!right.device().equals(left.device())) {
            right.device().close();
        }
    }
}
