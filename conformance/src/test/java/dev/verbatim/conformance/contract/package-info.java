// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** What holds on every fabric, as tests that run on each. */
@NullMarked
package dev.verbatim.conformance.contract;

import org.jspecify.annotations.NullMarked;
