// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The rules as executable checks, and the command line that shows them. */
@NullMarked
package dev.verbatim.conformance;

import org.jspecify.annotations.NullMarked;
