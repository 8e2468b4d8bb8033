// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Limits and capabilities of a device ({@code struct ibv_device_attr}).
 *
 * @param firmwareVersion version of its firmware; empty, since it has none
 * @param guid node GUID
 * @param systemImageGuid GUID of the system; the same as the node GUID
 * @param maxPd protection domains
 * @param maxMr memory regions
 * @param maxMw memory windows
 * @param maxMrSizeBytes bytes of one memory region
 * @param pageSizes supported page sizes, one bit each; all from 4096
 * @param vendorId vendor id, 24 bits; all ones, because there is no vendor
 * @param vendorPartId the vendor's number of the part
 * @param hardwareVersion version of the hardware
 * @param maxQp queue pairs
 * @param maxQpWr work requests of one queue
 * @param maxSge elements of one work request
 * @param maxSgeRd elements of one READ
 * @param maxInlineDataBytes bytes posted inline
 * @param maxCq completion queues
 * @param maxCqe entries of one completion queue
 * @param maxAh address handles
 * @param maxSrq shared receive queues
 * @param maxSrqWr receives of one shared receive queue
 * @param maxSrqSge elements of one receive of a shared receive queue
 * @param maxXrcd XRC domains
 * @param maxQpRdAtom READs and atomics outstanding at a queue pair as responder
 * @param maxResRdAtom READs and atomics outstanding at all queue pairs as responders
 * @param maxQpInitRdAtom READs and atomics outstanding at a queue pair as requester
 * @param atomicCapability scope of atomicity of atomics
 * @param completionVectors completion vectors
 * @param maxPkeys partition keys of a port
 * @param localAckDelay local ACK delay, a code like that of a timeout; 0, the minimum
 * @param physicalPorts ports
 * @param capabilities {@link DeviceCapabilities}
 */
public record DeviceAttributes(
        String firmwareVersion,
        long guid,
        long systemImageGuid,
        int maxPd,
        int maxMr,
        int maxMw,
        long maxMrSizeBytes,
        long pageSizes,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxSgeRd,
        int maxInlineDataBytes,
        int maxCq,
        int maxCqe,
        int maxAh,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxXrcd,
        int maxQpRdAtom,
        int maxResRdAtom,
        int maxQpInitRdAtom,
        AtomicCapability atomicCapability,
        int completionVectors,
        int maxPkeys,
        int localAckDelay,
        int physicalPorts,
        long capabilities) {}
