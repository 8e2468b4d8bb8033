// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The commands of {@code ./verbatim} and their reports. It sees every package of all modules, and none sees it. Begin with {@link dev.verbatim.cli.Main}.
 */
@NullMarked
package dev.verbatim.cli;

import org.jspecify.annotations.NullMarked;
