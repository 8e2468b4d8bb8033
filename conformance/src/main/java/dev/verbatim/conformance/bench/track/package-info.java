// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The loops that are measured: RDMA, plain sockets, and memory copies. Sees the plan and the two JVMs. Begin with
 * {@link dev.verbatim.conformance.bench.track.Measurement}.
 */
@NullMarked
package dev.verbatim.conformance.bench.track;

import org.jspecify.annotations.NullMarked;
