// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Memory windows as the rules have them, written down a second time: what verbs and work requests do to protection domains,
 * regions, windows, queue pairs and bytes, when nothing else is under way. It shares no code with the device, so that both do
 * not make the same mistake. To be read from {@link dev.verbatim.conformance.windows.model.Access} and
 * {@link dev.verbatim.conformance.windows.model.Binds} on.
 */
@NullMarked
package dev.verbatim.conformance.windows.model;

import org.jspecify.annotations.NullMarked;
