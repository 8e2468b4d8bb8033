// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** A simulated fabric: seed, virtual time, faults, and every order the rules permit. */
@NullMarked
package dev.verbatim.sim;

import org.jspecify.annotations.NullMarked;
