// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The loops that are measured: RDMA, plain sockets, and memory copies. It sees the plan and the two JVMs. Begin with
 * {@link dev.verbatim.bench.loop.Measurement}.
 */
@NullMarked
package dev.verbatim.bench.loop;

import org.jspecify.annotations.NullMarked;
