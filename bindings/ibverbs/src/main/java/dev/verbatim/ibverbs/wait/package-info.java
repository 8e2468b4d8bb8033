// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Descriptors that a program can wait for. */
@NullMarked
package dev.verbatim.ibverbs.wait;

import org.jspecify.annotations.NullMarked;
