// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

/** What may happen to a connection: a message, the passing of time, a call. */
public enum Stimulus {
    /** The same request again. */
    REQ,
    /** The peer needs longer for the REQ. */
    MRA_OF_REQ,
    /** The peer needs longer for the REP. */
    MRA_OF_REP,
    /** The peer accepts, perhaps again. */
    REP,
    /** The peer confirms. */
    RTU,
    /** The peer refuses. */
    REJ,
    /** The peer refuses since it believes the queue pair to be in another connection (reason 10). */
    REJ_STALE,
    /** The peer ends the connection. */
    DREQ,
    /** The peer knows that it is over. */
    DREP,
    /** The last message was repeated as often as it may be. */
    NO_ANSWER,
    /** The time in TIMEWAIT is over. */
    TIMEWAIT_OVER,
    /** The way to the peer is gone. */
    CARRIER_LOST,
    /** The peer uses the same queue pair for another connection, so it has forgotten this one. */
    FORGOTTEN,
    /** The application asks for the connection. */
    CONNECT,
    /** It accepts. */
    ACCEPT,
    /** It refuses. */
    REJECT,
    /** It, or the library for it, confirms. */
    ESTABLISH,
    /** It has seen data. */
    NOTIFY,
    /** It ends the connection. */
    DISCONNECT,
    /** It gives the identifier up. */
    DESTROY
}
