// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The command that runs a program on the library, and what it prepares. */
@NullMarked
package dev.verbatim.ibverbs.launch;

import org.jspecify.annotations.NullMarked;
