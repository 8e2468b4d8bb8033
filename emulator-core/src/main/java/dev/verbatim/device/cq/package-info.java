// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Completion queues, completion channels, notification, and completions that are held back. It sees {@code device.context},
 * {@code device.event} and {@code device.memory}, and knows a queue pair as a {@link dev.verbatim.device.cq.CqUser}. Begin with
 * {@link dev.verbatim.device.cq.EmulatedCompletionQueue}.
 */
@NullMarked
package dev.verbatim.device.cq;

import org.jspecify.annotations.NullMarked;
