// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The command {@code stat}: counters of the devices of a running process. Sees {@code dev.verbatim.live} only; begin with
 * {@link StatCommand}.
 */
@NullMarked
package dev.verbatim.cli.stat;

import org.jspecify.annotations.NullMarked;
