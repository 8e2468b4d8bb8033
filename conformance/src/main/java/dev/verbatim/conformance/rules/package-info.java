// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The rules that tests and refusals name: what each id states, and when the device is expected to keep it. It sees no
 * other package. Begin with {@link dev.verbatim.conformance.rules.RuleCatalogue}.
 */
@NullMarked
package dev.verbatim.conformance.rules;

import org.jspecify.annotations.NullMarked;
