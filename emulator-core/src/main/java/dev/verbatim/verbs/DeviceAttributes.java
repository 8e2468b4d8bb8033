// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * What a device can do ({@code struct ibv_device_attr}).
 *
 * @param guid node GUID
 * @param maxPd protection domains
 * @param maxMr memory regions
 * @param maxMw memory windows
 * @param maxMrSizeBytes bytes of one memory region
 * @param maxQp queue pairs
 * @param maxQpWr work requests of one queue
 * @param maxSge elements of one work request
 * @param maxInlineDataBytes bytes posted inline
 * @param maxCq completion queues
 * @param maxCqe entries of one completion queue
 * @param maxAh address handles
 * @param maxSrq shared receive queues
 * @param maxSrqWr receives of one shared receive queue
 * @param maxSrqSge elements of one receive of a shared receive queue
 * @param maxXrcd XRC domains
 * @param maxQpRdAtom READs and atomics outstanding at a queue pair as responder
 * @param maxQpInitRdAtom READs and atomics outstanding at a queue pair as requester
 * @param atomicCapability against what atomics are atomic
 * @param completionVectors completion vectors
 * @param maxPkeys partition keys of a port
 * @param physicalPorts ports
 * @param capabilities {@link DeviceCapabilities}
 */
public record DeviceAttributes(
        long guid,
        int maxPd,
        int maxMr,
        int maxMw,
        long maxMrSizeBytes,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxInlineDataBytes,
        int maxCq,
        int maxCqe,
        int maxAh,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxXrcd,
        int maxQpRdAtom,
        int maxQpInitRdAtom,
        AtomicCapability atomicCapability,
        int completionVectors,
        int maxPkeys,
        int physicalPorts,
        long capabilities) {}
