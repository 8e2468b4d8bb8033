// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

/** What a flow of type RC ends with, after all other requests have completed. */
enum Ending {
    /** Nothing. */
    NONE,
    /** A WRITE with a key that does not exist. */
    WRONG_KEY,
    /** A WRITE whose last byte is behind the region. */
    OUT_OF_RANGE,
    /** A WRITE to a region that grants READ only. */
    NO_RIGHT,
    /** A WRITE to a region that was deregistered. */
    DEREGISTERED,
    /** A WRITE through a window that was invalidated. */
    INVALIDATED,
    /** A WRITE beyond the window, but not beyond its region. */
    BEYOND_WINDOW,
    /** A SEND with a local key that does not exist. */
    LOCAL_KEY,
    /** A SEND whose last byte is behind the local region. */
    LOCAL_RANGE,
    /** A SEND that is longer than its receive. */
    SHORT_RECEIVE,
    /** A SEND for which there is no receive. */
    NOT_READY,
    /** An atomic on an address that is no multiple of 8. */
    MISALIGNED,
    /** The queue pair of the responder was destroyed. */
    GONE;

    /** Whether the responder has a receive for it. */
    boolean takesReceive() {
        return this == SHORT_RECEIVE;
    }

    boolean isFailure() {
        return this != NONE;
    }
}
