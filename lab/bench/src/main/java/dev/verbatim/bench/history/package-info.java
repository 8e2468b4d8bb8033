// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Results of earlier runs: the file that has them, and how a result compares with them. It sees the plan. Begin with
 * {@link dev.verbatim.bench.history.HistoryFile}.
 */
@NullMarked
package dev.verbatim.bench.history;

import org.jspecify.annotations.NullMarked;
