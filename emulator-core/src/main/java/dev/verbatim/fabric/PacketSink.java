// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.wire.Packet;

/** What takes packets in: a device. */
@FunctionalInterface
public interface PacketSink {

    /** A packet came over {@code link}; it is valid during the call only. On the lane. */
    void receive(Link link, Packet packet);
}
