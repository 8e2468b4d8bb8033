// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

/** The states of an identifier, as Linux names them. */
enum IdState {
    /** New. */
    IDLE,
    /** It has an address. */
    ADDR_BOUND,
    /** The peer's address is being found out. */
    ADDR_QUERY,
    /** It is known. */
    ADDR_RESOLVED,
    /** So is the way there. */
    ROUTE_RESOLVED,
    /** A connection was requested by either side; it may be established, or have failed. */
    CONNECT,
    /** It stood, and is over. */
    DISCONNECT,
    /** It takes requests. */
    LISTEN,
    /** The device is gone. */
    DEVICE_REMOVAL,
    /** It was given up. */
    CLOSED
}
