// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Asynchronous events: the queue that programs read, what events are about, and destruction that waits for acknowledgements. It sees
 * {@code device.context}. Begin with {@link dev.verbatim.device.event.AsyncEventQueue}.
 */
@NullMarked
package dev.verbatim.device.event;

import org.jspecify.annotations.NullMarked;
