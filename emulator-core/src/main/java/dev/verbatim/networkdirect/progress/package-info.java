// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * How the objects of one NetworkDirect adapter make progress without a thread: whoever waits dispatches the events of all of them. It
 * sees {@code verbs} and {@code cm} and none of NetworkDirect's own types; objects register callbacks. Begin with
 * {@link dev.verbatim.networkdirect.progress.Progress}.
 */
@NullMarked
package dev.verbatim.networkdirect.progress;

import org.jspecify.annotations.NullMarked;
