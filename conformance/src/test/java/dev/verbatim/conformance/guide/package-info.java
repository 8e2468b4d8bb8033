// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The programs behind docs/memory-windows.md. */
@NullMarked
package dev.verbatim.conformance.guide;

import org.jspecify.annotations.NullMarked;
