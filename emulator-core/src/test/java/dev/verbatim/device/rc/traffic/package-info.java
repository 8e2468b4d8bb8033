// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Random programs over lossy links and what is true of them: what queue pairs on both sides ask of each other
 * ({@link Program}), the run ({@link Traffic}), and, written without a look at the device, what must come of it
 * ({@link Expectation}, {@link OrderCheck}).
 */
@NullMarked
package dev.verbatim.device.rc.traffic;

import org.jspecify.annotations.NullMarked;
