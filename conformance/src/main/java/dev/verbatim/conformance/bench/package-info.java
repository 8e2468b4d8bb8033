// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** How fast the house is, measured beside yardsticks that do the same without it. */
@NullMarked
package dev.verbatim.conformance.bench;

import org.jspecify.annotations.NullMarked;
