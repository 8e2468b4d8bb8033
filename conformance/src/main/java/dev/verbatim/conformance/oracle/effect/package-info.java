// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Judges what packets do to memory: that bytes are gathered, placed and returned for a request that asks for them, in a
 * permitted order. It sees the models of queues, and only the oracle itself sees it. Begin with
 * {@link dev.verbatim.conformance.oracle.effect.Effects}.
 */
@NullMarked
package dev.verbatim.conformance.oracle.effect;

import org.jspecify.annotations.NullMarked;
