// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;

/** Receives the faults of links. */
@FunctionalInterface
interface FaultListener {

    /** Ignores all faults. */
    FaultListener NONE = (from, to, packet, fate) -> {};

    /** A packet was sent whose fate is not simply to arrive. */
    void faulted(Gid from, Gid to, Packet packet, Fate fate);
}
