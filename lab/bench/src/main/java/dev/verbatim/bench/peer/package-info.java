// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Programs of other projects that do the same work (UCX, libfabric, iperf3), and how their output is read. It sees the
 * plan. Begin with {@link dev.verbatim.bench.peer.Peers}.
 */
@NullMarked
package dev.verbatim.bench.peer;

import org.jspecify.annotations.NullMarked;
