// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a soak is asked for, and the two devices that it runs on. It sees no other package of the soak. Begin with
 * {@link dev.verbatim.cli.soak.plan.SoakPlan}.
 */
@NullMarked
package dev.verbatim.cli.soak.plan;

import org.jspecify.annotations.NullMarked;
