// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The command {@code studio}: a web page on loopback to edit scenarios, run them and look at the drawing. Sees scenarios,
 * explorations and the pages of {@code dev.verbatim.cli.page}; begin with {@link Studio}.
 */
@NullMarked
package dev.verbatim.cli.studio;

import org.jspecify.annotations.NullMarked;
