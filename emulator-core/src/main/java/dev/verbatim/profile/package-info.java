// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Differences between real devices, as immutable switches with named presets. */
@NullMarked
package dev.verbatim.profile;

import org.jspecify.annotations.NullMarked;
