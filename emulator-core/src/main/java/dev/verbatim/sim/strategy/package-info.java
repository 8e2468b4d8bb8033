// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Random choices that look at the events that are possible: priorities, starvation, faults at certain times. */
@NullMarked
package dev.verbatim.sim.strategy;

import org.jspecify.annotations.NullMarked;
