// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the names of a scenario stand for, before it runs: {@link dev.verbatim.conformance.scenario.check.Names} has the
 * objects of one node, and steps report unknown names to a {@link dev.verbatim.conformance.scenario.check.NameScope}.
 * It sees operands and specifications, and no step.
 */
@NullMarked
package dev.verbatim.conformance.scenario.check;

import org.jspecify.annotations.NullMarked;
