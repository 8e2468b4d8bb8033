// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/** What a user calls: libibverbs' vocabulary as interfaces and values, so that any provider could stand behind it. */
@NullMarked
package dev.verbatim.verbs;

import org.jspecify.annotations.NullMarked;
