// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The soak: random legal and illegal verbs from many threads on two devices for a bounded time, and then every request accounted for
 * and nothing left behind.
 */
@NullMarked
package dev.verbatim.conformance.soak;

import org.jspecify.annotations.NullMarked;
