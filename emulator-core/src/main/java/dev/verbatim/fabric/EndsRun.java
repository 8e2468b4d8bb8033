// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/**
 * Is implemented by exceptions that end a run rather than say that a step of it failed: {@link Choices} that throw one want to
 * leave, and no device takes it for a failure of its own.
 */
public interface EndsRun {}
