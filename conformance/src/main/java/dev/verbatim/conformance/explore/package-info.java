// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Random programs of several queue pairs: made from a seed, run with faults and random schedules, judged by the oracle,
 * and minimized where they fail. It sees scenarios, the oracle and simulations. Begin with
 * {@link dev.verbatim.conformance.explore.Explorer}.
 */
@NullMarked
package dev.verbatim.conformance.explore;

import org.jspecify.annotations.NullMarked;
