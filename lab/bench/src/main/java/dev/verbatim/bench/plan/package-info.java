// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What is measured and in which unit: cases, settings, lines and series of figures. Values only; it sees no device.
 * Begin with {@link dev.verbatim.bench.plan.Line}.
 */
@NullMarked
package dev.verbatim.bench.plan;

import org.jspecify.annotations.NullMarked;
