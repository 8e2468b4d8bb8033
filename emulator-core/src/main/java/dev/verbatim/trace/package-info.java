// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Trace events as values, and taps that store or write them. */
@NullMarked
package dev.verbatim.trace;

import org.jspecify.annotations.NullMarked;
