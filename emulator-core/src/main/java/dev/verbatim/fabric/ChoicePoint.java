// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Where more than one behaviour is legal, each with the rule that permits it. */
public enum ChoicePoint {
    /** A link may lose a packet (N-05). */
    LINK_DROP,
    /** A link may deliver a packet twice (N-05). */
    LINK_DUPLICATE,
    /** A link may hold a packet back, and so let others overtake it (N-05). */
    LINK_DELAY
}
