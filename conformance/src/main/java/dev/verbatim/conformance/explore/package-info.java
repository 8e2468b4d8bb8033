// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/** Random programs of several queue pairs, run under adversity, judged by the oracle, and shrunk where they fail. */
@NullMarked
package dev.verbatim.conformance.explore;

import org.jspecify.annotations.NullMarked;
