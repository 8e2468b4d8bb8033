// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What steps name: places in memory, keys, numbers, shared receive queues and expected errors, each with its form in a
 * file. Values only; it sees the forms and the verbs. Begin with {@link
 * dev.verbatim.conformance.scenario.operand.Place}.
 */
@NullMarked
package dev.verbatim.conformance.scenario.operand;

import org.jspecify.annotations.NullMarked;
