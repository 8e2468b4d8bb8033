// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Steps that compute with registers, and decide by them which steps are next. No device sees them. */
@NullMarked
package dev.verbatim.conformance.scenario.step.control;

import org.jspecify.annotations.NullMarked;
