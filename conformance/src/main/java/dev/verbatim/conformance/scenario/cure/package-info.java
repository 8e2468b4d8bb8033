// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Finds changes of a scenario that remove an outcome, and what of it can be dropped.
 *
 * <p>Begin with {@link dev.verbatim.conformance.scenario.cure.CureSearch}.
 */
@NullMarked
package dev.verbatim.conformance.scenario.cure;

import org.jspecify.annotations.NullMarked;
