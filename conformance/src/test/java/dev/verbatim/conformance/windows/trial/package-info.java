// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** What runs a program on devices and compares; loaded a second time with devices that make mistakes. */
@NullMarked
package dev.verbatim.conformance.windows.trial;

import org.jspecify.annotations.NullMarked;
