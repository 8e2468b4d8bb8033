// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Files as tables of words: a {@link dev.verbatim.conformance.scenario.form.Form} reads a value, writes it back and
 * describes it to editors, so that the three cannot disagree. It sees no other package. Begin with
 * {@link dev.verbatim.conformance.scenario.form.Mapping}.
 */
@NullMarked
package dev.verbatim.conformance.scenario.form;

import org.jspecify.annotations.NullMarked;
