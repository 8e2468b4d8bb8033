// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Steps of the CPU of a node on its own memory, and the steps that register it. Begin with {@link
 * dev.verbatim.conformance.scenario.step.memory.Store}, {@link dev.verbatim.conformance.scenario.step.memory.Expect}
 * and {@link dev.verbatim.conformance.scenario.step.memory.Register}. It sees no other package of steps but the one
 * above it.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step.memory;

import org.jspecify.annotations.NullMarked;
