// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/** A fault of more than one packet, which begins when a certain packet is sent; that packet is lost. */
public enum Outage {
    /** Nothing. */
    NONE,
    /** The way between sender and receiver is cut, in both directions, and heals when its time has passed (QP-29). */
    CUT,
    /** The sender neither says nor hears anything any more, and does not know. */
    SILENCE,
    /** The sender is gone, with all that it held. A program may open a device with the same GUID: the same, in another life. */
    CRASH
}
