// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Devices in different JVMs joined over TCP: {@link dev.verbatim.transport.netty.NettyFabric} with its options, and two processes
 * that exchange a line {@linkplain dev.verbatim.transport.netty.OutOfBand out of band}. Behind them stand ports, dials and
 * greetings; lanes, links, frames and sockets have packages of their own, which see nothing of this one.
 */
@NullMarked
package dev.verbatim.transport.netty;

import org.jspecify.annotations.NullMarked;
