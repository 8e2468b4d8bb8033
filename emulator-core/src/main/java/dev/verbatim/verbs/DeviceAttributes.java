// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * What a device can do ({@code struct ibv_device_attr}).
 *
 * @param firmwareVersion version of its firmware; empty, since it has none
 * @param guid node GUID
 * @param systemImageGuid GUID of what it is a part of; its own, since it is alone
 * @param maxPd protection domains
 * @param maxMr memory regions
 * @param maxMw memory windows
 * @param maxMrSizeBytes bytes of one memory region
 * @param pageSizes the page sizes that it can do, one bit for each; from 4096 up all, since none matters to it
 * @param vendorId number of the vendor, 24 bits; all ones, since there is none
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
 * @param atomicCapability against what atomics are atomic
 * @param completionVectors completion vectors
 * @param maxPkeys partition keys of a port
 * @param localAckDelay what it adds to the answer of a peer, as an exponent like a timeout; 0, the least
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
