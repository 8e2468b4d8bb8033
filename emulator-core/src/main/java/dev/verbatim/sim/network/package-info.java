// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The network inside a {@link dev.verbatim.sim.LossyFabric}: ports, links, packets in flight as bytes, and the lane on which they
 * move in virtual time. It decides nothing: {@code sim}, which it does not see, decides about each packet and
 * about the next event. Begin at {@link dev.verbatim.sim.network.LossyNetwork}.
 */
@NullMarked
package dev.verbatim.sim.network;

import org.jspecify.annotations.NullMarked;
