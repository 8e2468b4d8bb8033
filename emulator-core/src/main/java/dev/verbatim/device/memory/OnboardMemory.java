// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.LinkedHashSet;
import java.util.Set;

/** The memory that a device has of its own, and who has how much of it (DM-01). */
public final class OnboardMemory {

    /** All allocations begin at a page, which is the strictest alignment that a program can ask for. */
    private static final int MAX_LOG_ALIGNMENT = 12;

    private final DeviceContext device;
    private final int sizeBytes;
    private final Set<EmulatedDeviceMemory> allocations = new LinkedHashSet<>();
    private long allocatedBytes;

    public OnboardMemory(DeviceContext device) {
        this.device = device;
        this.sizeBytes = device.profile().deviceMemory() ? DeviceLimits.DEVICE_MEMORY_BYTES : 0;
    }

    /** How much there is; 0 if the device has none. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** Allocates some of it, which holds zeros. From any thread. */
    public EmulatedDeviceMemory allocate(long lengthBytes, int logAlignment) {
        check(lengthBytes, logAlignment);
        // Addresses are those of the program that asks.
        EmulatedDeviceMemory allocated = new EmulatedDeviceMemory(this, device, Memory.allocate((int) lengthBytes));
        return device.onLane(() -> {
            device.requireOpen();
            if (lengthBytes > sizeBytes - allocatedBytes) {
                throw VerbsException.of(
                        Errno.ENOMEM,
                        Rule.DM_01,
                        "length=%d is more than is left of max_dm_size=%d; %d bytes are allocated",
                        lengthBytes,
                        sizeBytes,
                        allocatedBytes);
            }
            allocations.add(allocated);
            allocatedBytes += lengthBytes;
            device.decided(0, Rule.DM_01);
            return device.made(allocated);
        });
    }

    private void check(long lengthBytes, int logAlignment) {
        if (sizeBytes == 0) {
            throw VerbsException.of(Errno.EOPNOTSUPP, Rule.DM_01, "profile %s has no device memory", device.profile());
        }
        if (lengthBytes < 1 || lengthBytes > sizeBytes) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.DM_01, "length=%d is not in 1..%d (max_dm_size)", lengthBytes, sizeBytes);
        }
        if (logAlignment < 0 || logAlignment > MAX_LOG_ALIGNMENT) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.DM_01, "log_align_req=%d is not in 0..%d", logAlignment, MAX_LOG_ALIGNMENT);
        }
    }

    /** It was freed. On the lane. */
    void release(EmulatedDeviceMemory freed) {
        if (allocations.remove(freed)) {
            allocatedBytes -= freed.lengthBytes();
        }
    }

    /** How many allocations there are. On the lane. */
    public int count() {
        return allocations.size();
    }

    /** The device is closed with all that it has. On the lane. */
    public void endAll() {
        allocations.forEach(EmulatedDeviceMemory::end);
        allocations.clear();
        allocatedBytes = 0;
    }
}
