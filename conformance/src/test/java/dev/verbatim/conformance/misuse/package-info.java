// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Programs with a mistake and their clean twins: what they can end in is computed, and what the sanitizer says of them is compared. */
@NullMarked
package dev.verbatim.conformance.misuse;

import org.jspecify.annotations.NullMarked;
