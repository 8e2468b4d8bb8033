// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Choices of a recorded list, made again in runs that need not be the recorded one: the beginning of an exploration, and a
 * program that is being shrunk. Sees {@code fabric} only.
 */
@NullMarked
package dev.verbatim.sim.replay;

import org.jspecify.annotations.NullMarked;
