// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Micro-benchmarks of the device; docs/internals/lab.md says how to run them and what was seen. */
@NullMarked
package dev.verbatim.bench.micro;

import org.jspecify.annotations.NullMarked;
