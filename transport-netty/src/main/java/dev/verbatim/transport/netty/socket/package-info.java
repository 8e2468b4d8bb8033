// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Sockets without Netty's buffers between: reading and writing registered memory directly over NIO and epoll, what their errors mean,
 * and the limits of this transport. Sees no other package of the module. Begin at
 * {@link dev.verbatim.transport.netty.socket.RawSocket}.
 */
@NullMarked
package dev.verbatim.transport.netty.socket;

import org.jspecify.annotations.NullMarked;
