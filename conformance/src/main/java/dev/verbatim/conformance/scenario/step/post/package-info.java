// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Steps that post work requests: sends, receives and chains of them. {@link
 * dev.verbatim.conformance.scenario.step.post.Post} is the request, {@link
 * dev.verbatim.conformance.scenario.step.post.PostWords} has its words. It sees the windows' package for BIND_MW.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step.post;

import org.jspecify.annotations.NullMarked;
