// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What devices did, as sentences and diagrams for people and as JSON for programs. It sees traces and packets. Begin
 * with {@link dev.verbatim.conformance.narration.Narrator} and {@link dev.verbatim.conformance.narration.Diagram}.
 */
@NullMarked
package dev.verbatim.conformance.narration;

import org.jspecify.annotations.NullMarked;
