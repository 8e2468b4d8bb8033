// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Steps that say who sees what in the memory of a node: kernels that are launched, fences, flushes, and the end of power. Begin with
 * {@link dev.verbatim.conformance.scenario.step.visibility.Launch}. It sees no other package of steps but the one above it.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step.visibility;

import org.jspecify.annotations.NullMarked;
