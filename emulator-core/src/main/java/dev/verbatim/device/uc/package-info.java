// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Unreliable connection: what is lost is lost, and nobody is told. */
@NullMarked
package dev.verbatim.device.uc;

import org.jspecify.annotations.NullMarked;
