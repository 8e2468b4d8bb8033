// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A device among hostile peers and careless programs, as {@link dev.verbatim.device.fuzz.DeviceFuzzTest} makes them of bytes. Nothing here
 * knows what the right answer is; it knows what no answer may do.
 */
@NullMarked
package dev.verbatim.device.fuzz;

import org.jspecify.annotations.NullMarked;
