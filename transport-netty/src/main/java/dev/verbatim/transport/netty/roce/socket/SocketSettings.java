// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

/**
 * What the sockets of an address are to be.
 *
 * @param port of the receiving socket: 4791
 * @param headerBytes free bytes before each datagram in its buffer
 * @param mostBytes longest datagram that is of interest
 * @param mostSources sockets that may send; 1 for the receiving one alone
 * @param bufferBytes size of the buffers of the operating system; 0 for its default
 * @param bareChecksums whether datagrams over IPv6 without a UDP checksum are to be received
 */
public record SocketSettings(
        int port, int headerBytes, int mostBytes, int mostSources, int bufferBytes, boolean bareChecksums) {}
