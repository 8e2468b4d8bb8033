// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** What happened, as values, and the sinks that keep or write them. */
@NullMarked
package dev.verbatim.trace;

import org.jspecify.annotations.NullMarked;
