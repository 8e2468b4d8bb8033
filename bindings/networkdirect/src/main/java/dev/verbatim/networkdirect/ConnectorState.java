// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** The states of a connector, in the order in which its one connection passes through them. */
enum ConnectorState {
    /** New. */
    IDLE,

    /** Has a local address. */
    BOUND,

    /** A listener is to bring it a request. */
    AWAITING,

    /** Has asked. */
    CONNECTING,

    /** Has asked, and the other side has accepted: this side's consent is missing. */
    ACCEPTED,

    /** Was asked. */
    REQUESTED,

    /** Was asked, and has accepted: the other side's consent is missing. */
    ACCEPTING,

    /** The connection is established. */
    CONNECTED,

    /** This side is ending it. */
    DISCONNECTING,

    /** The other side has ended it. */
    ENDED,

    /** This side has ended it, or given it up. */
    CLOSED,

    /** There never was one. */
    FAILED,

    /** The device is gone. */
    REMOVED;

    /** Whether a connection stood, or still does. */
    public boolean wasConnected() {
        return this == CONNECTED || this == DISCONNECTING || this == ENDED;
    }
}
