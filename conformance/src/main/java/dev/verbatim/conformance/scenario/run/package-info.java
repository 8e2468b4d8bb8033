// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Runs scenarios on any fabric. */
@NullMarked
package dev.verbatim.conformance.scenario.run;

import org.jspecify.annotations.NullMarked;
