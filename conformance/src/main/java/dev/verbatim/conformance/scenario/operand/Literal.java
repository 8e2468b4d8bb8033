// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.operand;

/**
 * Eight bytes that hold a number, in memory that does not change.
 *
 * @param value the number
 */
public record Literal(Long value) implements Element {}
