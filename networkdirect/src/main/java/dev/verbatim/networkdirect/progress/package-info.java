// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * How the objects of one NetworkDirect adapter make progress without a thread: whoever waits dispatches the events of all of them. Each
 * call of an object is one step of a simulated program, and reported to exploration ({@code ObjectCalls}). The package sees {@code verbs},
 * {@code cm} and the lane of the device, and none of NetworkDirect's own types; objects register callbacks. Begin with
 * {@link dev.verbatim.networkdirect.progress.Progress}.
 */
@NullMarked
package dev.verbatim.networkdirect.progress;

import org.jspecify.annotations.NullMarked;
