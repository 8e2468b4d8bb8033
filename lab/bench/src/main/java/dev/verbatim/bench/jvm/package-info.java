// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The two JVMs of a measurement: the one that measures, the passive one, and what each of them does. It sees the plan
 * and the public packages of the device. Begin with {@link dev.verbatim.bench.jvm.MeasuredPair}.
 */
@NullMarked
package dev.verbatim.bench.jvm;

import org.jspecify.annotations.NullMarked;
