// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** JUnit 5 tests that run in many simulations and report how to repeat a failing run. Requires junit-jupiter-api. */
@NullMarked
package dev.verbatim.junit;

import org.jspecify.annotations.NullMarked;
