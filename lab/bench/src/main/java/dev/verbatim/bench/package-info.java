// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Benchmarks: each line is measured beside yardsticks that do the same without the device. It sees all packages below
 * it. Begin with {@link dev.verbatim.bench.Bench}.
 */
@NullMarked
package dev.verbatim.bench;

import org.jspecify.annotations.NullMarked;
