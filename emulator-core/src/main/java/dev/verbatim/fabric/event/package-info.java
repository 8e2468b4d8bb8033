// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Places where events wait to be fetched, and whom they tell of those that are added. Sees {@code fabric} only; for devices and channels. */
@NullMarked
package dev.verbatim.fabric.event;

import org.jspecify.annotations.NullMarked;
