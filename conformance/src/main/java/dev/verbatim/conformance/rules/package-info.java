// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Which tests checked which rules ({@link dev.verbatim.verbs.Rule}), and that in words. It sees no other package of its module. Begin
 * with {@link dev.verbatim.conformance.rules.CheckRecord}.
 */
@NullMarked
package dev.verbatim.conformance.rules;

import org.jspecify.annotations.NullMarked;
