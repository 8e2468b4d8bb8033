// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The seam between a device and what carries its packets, and the fabric inside one JVM. */
@NullMarked
package dev.verbatim.fabric;

import org.jspecify.annotations.NullMarked;
