// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Costs that are paid once: start, connections, many idle or busy queue pairs. It sees the plan and the two JVMs. Begin
 * with {@link dev.verbatim.bench.cost.Connects}.
 */
@NullMarked
package dev.verbatim.bench.cost;

import org.jspecify.annotations.NullMarked;
