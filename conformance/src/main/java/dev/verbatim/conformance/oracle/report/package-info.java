// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the oracle checks and what it reports: {@link dev.verbatim.conformance.oracle.report.Check} has the checks with
 * their rules, {@link dev.verbatim.conformance.oracle.report.Findings} collects while a trace is read,
 * {@link dev.verbatim.conformance.oracle.report.Verdict} is the result. It sees traces only.
 */
@NullMarked
package dev.verbatim.conformance.oracle.report;

import org.jspecify.annotations.NullMarked;
