// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the pages of commands show: traces that are read from files and joined, runs of scenarios and of random programs that are
 * recorded. Sees scenarios, explorations and {@code dev.verbatim.page}, which draws; begin with {@link TraceReader} for files and
 * {@link DrawnScenarios} for runs.
 */
@NullMarked
package dev.verbatim.cli.page;

import org.jspecify.annotations.NullMarked;
