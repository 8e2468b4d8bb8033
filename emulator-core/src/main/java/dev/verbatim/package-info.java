// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The door: named ways to open devices that can reach each other. */
@NullMarked
package dev.verbatim;

import org.jspecify.annotations.NullMarked;
