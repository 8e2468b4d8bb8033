// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Models of queue pairs, their send and receive queues, shared receive queues and windows, which judge what is posted,
 * sent and completed. It sees memory, requests and keys. Begin with
 * {@link dev.verbatim.conformance.oracle.queue.DeviceModel} and
 * {@link dev.verbatim.conformance.oracle.queue.QueuePairModel}.
 */
@NullMarked
package dev.verbatim.conformance.oracle.queue;

import org.jspecify.annotations.NullMarked;
