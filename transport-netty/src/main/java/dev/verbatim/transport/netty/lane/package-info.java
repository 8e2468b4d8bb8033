// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A Netty event loop as the lane of all devices of a fabric, driven by a thread of its own or by the program that spins; timers and
 * the log that belong to it. Knows no connection. Begin at {@link dev.verbatim.transport.netty.lane.NettyLane}.
 */
@NullMarked
package dev.verbatim.transport.netty.lane;

import org.jspecify.annotations.NullMarked;
