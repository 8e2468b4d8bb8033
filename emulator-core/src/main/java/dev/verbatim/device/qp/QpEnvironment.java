// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.device.memory.DeviceMemory;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What all queue pairs of a device share.
 *
 * @param events where their asynchronous events go
 * @param memory the regions and windows of the device
 * @param engines makes the transport service of a queue pair
 * @param stepFailed takes what a step for a queue pair threw, and ends its work
 */
public record QpEnvironment(
        DeviceContext device,
        AsyncEventQueue events,
        DeviceMemory memory,
        Function<QpContext, TransportEngine> engines,
        BiConsumer<QpContext, Throwable> stepFailed) {}
