// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The objects that threads share, each with its own account, and what a thread draws with. Sees the plan and the books. Begin
 * with {@link dev.verbatim.conformance.soak.world.World}.
 */
@NullMarked
package dev.verbatim.conformance.soak.world;

import org.jspecify.annotations.NullMarked;
