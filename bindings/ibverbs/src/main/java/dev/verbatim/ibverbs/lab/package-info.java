// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Faults on demand at named steps of a C program. Begin with {@link dev.verbatim.ibverbs.lab.Fault}. */
@NullMarked
package dev.verbatim.ibverbs.lab;

import org.jspecify.annotations.NullMarked;
