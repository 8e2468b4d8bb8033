// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * From where to where a datagram goes: two IPv6 addresses, which are the GIDs of the ports.
 *
 * @param sourceHigh the first 64 bits of the sender's address
 * @param sourceLow the last 64 bits of it
 * @param destinationHigh the first 64 bits of the receiver's address
 * @param destinationLow the last 64 bits of it
 */
public record RoceRoute(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {}
