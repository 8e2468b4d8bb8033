// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.link;

/** One packet on its way, sent or received, as {@link FaultInjector} lets it pass. */
interface PacketFate {

    /** A copy of the packet passes now. */
    void pass(boolean corrupted);

    /** What lets a copy pass later, when the packet and its memory are used again. */
    Runnable keep(boolean corrupted);
}
