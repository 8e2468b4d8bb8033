// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The functions of libibverbs, and the tables of functions in its structs. */
@NullMarked
package dev.verbatim.ibverbs.verbs;

import org.jspecify.annotations.NullMarked;
