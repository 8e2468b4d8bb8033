// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of the words for steps. */
@NullMarked
package dev.verbatim.conformance.scenario.step;

import org.jspecify.annotations.NullMarked;
