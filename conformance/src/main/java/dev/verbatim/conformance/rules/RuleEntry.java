// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.rules;

/**
 * One rule of the catalogue.
 *
 * @param id what tests, refusals and reports call the rule, such as {@code MW-32}
 * @param section subject it belongs to, such as {@code B.3}; {@code docs/conformance.md} lists the subjects
 * @param scope what must be emulated before the rule can be observed
 * @param statement the rule in one line of at most {@link RuleCatalogue#MAX_STATEMENT_CHARS} characters
 * @param basis how certain it is, and its source, such as {@code measured: torchcomms#2373}; empty for rules whose sources
 *     {@code docs/conformance.md} names for all of them
 */
public record RuleEntry(String id, String section, Scope scope, String statement, String basis) {}
