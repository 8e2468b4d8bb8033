// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

/** The states of a connection, as Linux names them; without REQ_RCVD and REP_RCVD, which are left at once. */
public enum ConnectionState {
    /** Not asked for yet, or nothing is left of it. */
    IDLE,
    /** Active: the request is under way. */
    REQ_SENT,
    /** Active: the peer has the request and needs more time. */
    MRA_REQ_RCVD,
    /** Active: the peer has accepted, and the application has not fetched that. A repeated REP gets an MRA. */
    MRA_REP_SENT,
    /** Passive: the application has the request. A repeated REQ gets an MRA. */
    MRA_REQ_SENT,
    /** Passive: accepted, and the peer has not confirmed it. */
    REP_SENT,
    /** Passive: the peer needs longer to confirm. */
    MRA_REP_RCVD,
    /** It is established. */
    ESTABLISHED,
    /** This side ended it. */
    DREQ_SENT,
    /** The peer ended it, and the application has not answered. */
    DREQ_RCVD,
    /** It is over, and packets of it may still be under way. */
    TIMEWAIT
}
