// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of runs of scenarios. */
@NullMarked
package dev.verbatim.conformance.scenario.run;

import org.jspecify.annotations.NullMarked;
