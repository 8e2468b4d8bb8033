// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/** A fault of more than one packet, which begins when a certain packet is sent; that packet is lost. */
public enum Outage {
    /** Nothing. */
    NONE,
    /** The link between sender and receiver is cut in both directions, and is restored when its time has passed (QP-29). */
    CUT,
    /** The sender neither sends nor receives any more, and is not notified. */
    SILENCE,
    /** The sender crashes and loses its state. A program may open a device with the same GUID, which is a new incarnation. */
    CRASH
}
