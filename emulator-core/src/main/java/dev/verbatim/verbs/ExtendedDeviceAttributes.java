// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Further attributes of a device ({@code struct ibv_device_attr_ex}).
 *
 * @param maxDeviceMemoryBytes bytes of device memory that can be allocated together; 0 if the device has none (DM-01)
 * @param onDemand on-demand paging
 * @param timestampMask bits of completion timestamps that count: all (CQ-06)
 * @param clockKilohertz frequency of the device's clock: 1,000,000, because it counts nanoseconds
 * @param maxModerationCount completions of one event, at most (CQ-07)
 * @param maxModerationPeriodMicros microseconds that an event can be delayed, at most
 */
public record ExtendedDeviceAttributes(
        int maxDeviceMemoryBytes,
        OnDemandCapabilities onDemand,
        long timestampMask,
        long clockKilohertz,
        int maxModerationCount,
        int maxModerationPeriodMicros) {}
