// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of scenario files. */
@NullMarked
package dev.verbatim.conformance.scenario;

import org.jspecify.annotations.NullMarked;
