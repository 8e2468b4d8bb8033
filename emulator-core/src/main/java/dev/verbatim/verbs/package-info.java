// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/** The API: the vocabulary of libibverbs as interfaces and values, independent of the implementation. */
@NullMarked
package dev.verbatim.verbs;

import org.jspecify.annotations.NullMarked;
