// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * InfiniBand transport packets: their formats, and the arithmetic that belongs to their fields.
 *
 * <p>A packet exists on two levels. On the data path {@link dev.verbatim.wire.PacketView} checks bytes once and then reads
 * fields straight from them, {@link dev.verbatim.wire.Packet} is the reusable holder that the engine fills and empties, and
 * {@link dev.verbatim.wire.PacketWriter} turns a holder into bytes; none of them allocates. In traces and tests
 * {@link dev.verbatim.wire.PacketRecord} is the same packet as an immutable value; it is parsed and emitted through the
 * first level, so that each field has one place that knows where it lies.
 *
 * <p>Bytes here run from the BTH to the last pad byte. The invariant CRC that follows them on a real link covers the network
 * headers as well: {@link dev.verbatim.wire.RoceWriter} wraps a packet into a RoCEv2 datagram that ends with it, and
 * {@link dev.verbatim.wire.RoceView} checks such a datagram and shows the packet inside.
 *
 * <p>For programs: {@link dev.verbatim.wire.Packet} in a {@code FaultPolicy}, and {@link dev.verbatim.wire.PacketRecord} in
 * traces, with the opcodes and headers that they name. {@link dev.verbatim.wire.PlainRequest} and
 * {@link dev.verbatim.wire.PlainAnswer} are what carriers pass along; like carriers they are internal, and change without notice.
 */
@NullMarked
package dev.verbatim.wire;

import org.jspecify.annotations.NullMarked;
