// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The two JVMs of a measurement: the one that measures, the passive one beside it, and what each of them does. Sees the plan and
 * the public packages of the device. Begin with {@link dev.verbatim.conformance.bench.jvm.Stage}.
 */
@NullMarked
package dev.verbatim.conformance.bench.jvm;

import org.jspecify.annotations.NullMarked;
