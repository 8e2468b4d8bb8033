// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Steps that wait for, take or expect the absence of completions, notifications and asynchronous events. Begin with
 * {@link dev.verbatim.conformance.scenario.step.await.AwaitCompletion}. It sees no other package of steps but the one
 * above it.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step.await;

import org.jspecify.annotations.NullMarked;
