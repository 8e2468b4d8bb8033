// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/** Runs the parts of {@code explore} and {@code litmus} as tasks of Apache Spark. */
@NullMarked
package dev.verbatim.farm;

import org.jspecify.annotations.NullMarked;
