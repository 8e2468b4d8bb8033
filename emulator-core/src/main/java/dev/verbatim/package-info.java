// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The entry point: opens devices that can reach each other, and connects their queue pairs. */
@NullMarked
package dev.verbatim;

import org.jspecify.annotations.NullMarked;
