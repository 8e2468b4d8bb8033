// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.link;

/**
 * How links behave.
 *
 * @param port UDP port of the receiving sockets, here and at peers: 4791
 * @param sendWindowPackets see {@link dev.verbatim.fabric.Link#sendWindowPackets}
 * @param icrc whether ICRCs are made and checked
 * @param strictIcrc whether an IPv4 identification other than 0 is a wrong ICRC
 */
public record LinkSettings(int port, int sendWindowPackets, boolean icrc, boolean strictIcrc) {}
