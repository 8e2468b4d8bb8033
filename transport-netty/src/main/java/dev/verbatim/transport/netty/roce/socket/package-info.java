// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * UDP sockets of one local address: one that receives at port 4791 and a bounded pool that sends, over NIO or epoll. They know
 * addresses and bytes, no packets. Begin with {@link dev.verbatim.transport.netty.roce.socket.UdpSockets}.
 */
@NullMarked
package dev.verbatim.transport.netty.roce.socket;

import org.jspecify.annotations.NullMarked;
