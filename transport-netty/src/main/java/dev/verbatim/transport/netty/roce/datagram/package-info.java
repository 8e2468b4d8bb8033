// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * RoCEv2 packets as UDP datagrams: the IP and UDP headers that the ICRC covers, writing, reading, and why a datagram is dropped.
 * Nothing here knows sockets. Begin with {@link dev.verbatim.transport.netty.roce.datagram.DatagramReader}.
 */
@NullMarked
package dev.verbatim.transport.netty.roce.datagram;

import org.jspecify.annotations.NullMarked;
