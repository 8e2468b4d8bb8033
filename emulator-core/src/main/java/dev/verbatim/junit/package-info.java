// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of JUnit 5 that run in many simulations, and say how to repeat the one that fails. Needs junit-jupiter-api. */
@NullMarked
package dev.verbatim.junit;

import org.jspecify.annotations.NullMarked;
