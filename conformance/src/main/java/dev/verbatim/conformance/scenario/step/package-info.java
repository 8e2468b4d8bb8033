// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** What the programs of a scenario consist of: one class for each word. */
@NullMarked
package dev.verbatim.conformance.scenario.step;

import org.jspecify.annotations.NullMarked;
