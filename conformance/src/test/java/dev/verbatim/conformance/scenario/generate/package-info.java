// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of the generated litmus tests. */
@NullMarked
package dev.verbatim.conformance.scenario.generate;

import org.jspecify.annotations.NullMarked;
