// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Receive requests: receive queues, shared receive queues, XRC domains, and where a message finds its receive. It sees
 * {@code device.cq} and what is below. Begin with {@link dev.verbatim.device.receive.ReceiveSource}.
 */
@NullMarked
package dev.verbatim.device.receive;

import org.jspecify.annotations.NullMarked;
