// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

/**
 * What was decided of an access: {@link Allowed} or a {@link Denial}, each with its rule. Who takes the decision reports it from this
 * value, and does not look again at what it was decided by.
 */
public sealed interface Decision permits Allowed, Denial {}
