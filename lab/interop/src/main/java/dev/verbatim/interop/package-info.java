// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The opposite sides of the standard test programs of rdma-core: {@code ibv_*_pingpong}, {@code rping},
 * {@code ucmatose}, {@code udaddy} and {@code cmtime}. They use the public interface only, as any application does, so
 * a device is tested on both sides of the wire. Begin at {@link dev.verbatim.interop.PingPong}.
 */
@NullMarked
package dev.verbatim.interop;

import org.jspecify.annotations.NullMarked;
