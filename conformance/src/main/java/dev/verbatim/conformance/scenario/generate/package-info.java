// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Writes litmus tests of shapes, each with the outcomes that it has.
 *
 * <p>Begin with {@link dev.verbatim.conformance.scenario.generate.LitmusTest}.
 */
@NullMarked
package dev.verbatim.conformance.scenario.generate;

import org.jspecify.annotations.NullMarked;
