// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Simulated fabrics: virtual time, and links that fail as a seed or a test has it. */
@NullMarked
package dev.verbatim.sim;

import org.jspecify.annotations.NullMarked;
