// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Each operation once between a device of Verbatim and another device, in both directions: what completes, with which
 * data, and which error of the responder reaches the requester. The other device carries out verbs for an agent that is
 * reached over TCP ({@code lab/interop/agent.c}), or is another device of Verbatim. Begin at
 * {@link dev.verbatim.interop.walk.Walk}.
 */
@NullMarked
package dev.verbatim.interop.walk;

import org.jspecify.annotations.NullMarked;
