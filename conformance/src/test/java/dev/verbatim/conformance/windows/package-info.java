// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Random programs of memory windows, run on devices and on the {@linkplain dev.verbatim.conformance.windows.model reference
 * model} side by side.
 */
@NullMarked
package dev.verbatim.conformance.windows;

import org.jspecify.annotations.NullMarked;
