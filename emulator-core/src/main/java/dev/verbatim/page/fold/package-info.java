// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Events that come again and again, kept once with a count: for stories and pages. Sees the packages trace and
 * fabric; begin with {@link dev.verbatim.page.fold.FoldedEvents}.
 */
@NullMarked
package dev.verbatim.page.fold;

import org.jspecify.annotations.NullMarked;
