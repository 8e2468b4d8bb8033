// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The way into a JVM that the program brought: classes of its own beside those of the program. */
@NullMarked
package dev.verbatim.ibverbs.join;

import org.jspecify.annotations.NullMarked;
