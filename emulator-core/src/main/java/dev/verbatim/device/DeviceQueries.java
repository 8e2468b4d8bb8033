// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.cq.CqModeration;
import dev.verbatim.device.memory.WindowTypes;
import dev.verbatim.device.receive.SrqChecks;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AtomicCapability;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.ExtendedDeviceAttributes;
import dev.verbatim.verbs.OnDemandCapabilities;

/** What a device says of itself: its limits and what it can do. */
final class DeviceQueries {

    /** 4096 bytes and all powers of two above, as far as 32 bits go. */
    private static final long PAGE_SIZES = 0xffff_f000L;

    private static final int NO_VENDOR = 0xff_ffff;

    private static final long ALL_BITS = -1;

    private static final long NANOSECOND_CLOCK_KILOHERTZ = 1_000_000;

    private final long guid;
    private final DeviceLimits limits;
    private final long capabilities;

    DeviceQueries(long guid, DeviceProfile profile) {
        this.guid = guid;
        this.limits = profile.limits();
        this.capabilities = DeviceCapabilities.RC_RNR_NAK_GEN
                | (profile.xrc() ? DeviceCapabilities.XRC : 0)
                | SrqChecks.capabilities(profile)
                | WindowTypes.capabilities(profile.windows())
                | (profile.atomicWrite() ? DeviceCapabilities.ATOMIC_WRITE : 0)
                | (profile.flush() ? DeviceCapabilities.FLUSH_GLOBAL | DeviceCapabilities.FLUSH_PERSISTENT : 0);
    }

    /** What the device can do: {@link DeviceCapabilities}. */
    long capabilities() {
        return capabilities;
    }

    ExtendedDeviceAttributes extendedAttributes(int deviceMemoryBytes, OnDemandCapabilities onDemand) {
        return new ExtendedDeviceAttributes(
                deviceMemoryBytes,
                onDemand,
                ALL_BITS,
                NANOSECOND_CLOCK_KILOHERTZ,
                CqModeration.MAX_COUNT,
                CqModeration.MAX_PERIOD_MICROS);
    }

    DeviceAttributes attributes() {
        return new DeviceAttributes(
                "",
                guid,
                guid,
                limits.maxPd(),
                limits.maxMr(),
                limits.maxMw(),
                limits.maxMrSizeBytes(),
                PAGE_SIZES,
                NO_VENDOR,
                0,
                0,
                limits.maxQp(),
                limits.maxQpWr(),
                limits.maxSge(),
                limits.maxSge(),
                limits.maxInlineDataBytes(),
                limits.maxCq(),
                limits.maxCqe(),
                limits.maxAh(),
                limits.maxSrq(),
                limits.maxSrqWr(),
                limits.maxSrqSge(),
                limits.maxXrcd(),
                limits.maxQpRdAtom(),
                (int) Math.min(Integer.MAX_VALUE, (long) limits.maxQp() * limits.maxQpRdAtom()),
                limits.maxQpInitRdAtom(),
                AtomicCapability.GLOB,
                limits.completionVectors(),
                DeviceLimits.MAX_PKEYS,
                0,
                limits.physicalPorts(),
                capabilities);
    }
}
