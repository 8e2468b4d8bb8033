// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Shows that each report of an access, which exploration relies on, and each step of the sanitizer about memory domains is missed by some
 * program when it is left out. Begin with {@code EveryReportTest}.
 */
@org.jspecify.annotations.NullMarked
package dev.verbatim.conformance.footprint;
