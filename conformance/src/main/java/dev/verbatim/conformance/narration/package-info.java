// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** What devices did, told to people as a diagram and to programs as JSON. */
@NullMarked
package dev.verbatim.conformance.narration;

import org.jspecify.annotations.NullMarked;
