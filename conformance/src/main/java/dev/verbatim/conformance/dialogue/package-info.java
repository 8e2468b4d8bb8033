// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Two devices in conversation, step by step: what {@code demo}, {@code serve} and {@code connect} show. */
@NullMarked
package dev.verbatim.conformance.dialogue;

import org.jspecify.annotations.NullMarked;
