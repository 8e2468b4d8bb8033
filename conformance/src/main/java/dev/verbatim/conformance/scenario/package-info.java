// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Scenarios: what nodes have, what they do step by step, and what may come of it, in files that need no Java.
 * {@link dev.verbatim.conformance.scenario.ScenarioReader} reads them, {@link dev.verbatim.conformance.scenario.ScenarioWriter}
 * writes them. It sees the packages of forms, specifications, names and steps, but not {@code run}.
 */
@NullMarked
package dev.verbatim.conformance.scenario;

import org.jspecify.annotations.NullMarked;
