// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** What a program holds of a region: it stays the same when the region is re-registered and so becomes another for the device. */
public final class RegionHandle implements MemoryRegion {

    private final DeviceMemory memory;
    private volatile EmulatedMemoryRegion now;

    /** Device memory that it lies on; null if on that of a program. */
    private final @Nullable EmulatedDeviceMemory onboard;

    /** Whether the device refused to make another region of it, and left none (MR-63). */
    private boolean refused;

    /** A region on memory of a program. */
    public RegionHandle(DeviceMemory memory, EmulatedMemoryRegion first) {
        this(memory, first, null);
    }

    /** A region that lies on device memory, or on none. */
    public RegionHandle(DeviceMemory memory, EmulatedMemoryRegion first, @Nullable EmulatedDeviceMemory onboard) {
        this.memory = memory;
        this.now = first;
        this.onboard = onboard;
    }

    /** What it is at present for the device. */
    public EmulatedMemoryRegion now() {
        return now;
    }

    @Override
    public ProtectionDomain pd() {
        return now.pd().handle();
    }

    @Override
    public Memory memory() {
        return now.memory();
    }

    @Override
    public long address() {
        return now.address();
    }

    @Override
    public long lengthBytes() {
        return now.lengthBytes();
    }

    @Override
    public int access() {
        return now.access();
    }

    @Override
    public int lkey() {
        return now.lkey();
    }

    @Override
    public int rkey() {
        DeviceInspector inspector = memory.device().inspector();
        if (inspector != null) {
            inspector.rkeyAsked(now.lkey());
        }
        return now.rkey();
    }

    @Override
    public void reregister(
            int flags,
            @Nullable ProtectionDomain newPd,
            @Nullable Memory newMemory,
            long offset,
            long lengthBytes,
            int access) {
        memory.device().callTold(() -> {
            requireOpen();
            if (now.isNull()) {
                throw new ReregistrationException(
                        ReregistrationError.INPUT,
                        Errno.EINVAL,
                        Refusal.of(Rule.MR_76, "%s is a null region and stays one", this));
            }
            if (onboard != null) {
                throw new ReregistrationException(
                        ReregistrationError.CMD,
                        Errno.EOPNOTSUPP,
                        Refusal.of(Rule.DM_04, "%s lies on device memory and stays as it is", this));
            }
            try {
                now = new Reregistration(memory, now).become(flags, newPd, newMemory, offset, lengthBytes, access);
            } finally {
                refused = !now.isRegistered();
            }
        });
    }

    private void requireOpen() {
        if (!now.isRegistered() && !refused) {
            throw VerbsException.of(Errno.ENOENT, Rule.MR_56, "%s was deregistered before", this);
        }
    }

    @Override
    public void close() {
        memory.device().callTold(() -> {
            requireOpen();
            if (now.windows() > 0) {
                memory.deregisteringBound(now);
            }
            if (now.isRegistered()) {
                memory.deregister(now);
            }
            refused = false;
            now.pd().countRegions(-1);
            if (onboard != null) {
                onboard.countRegions(-1);
            }
            memory.device().closed(this);
        });
    }

    @Override
    public String toString() {
        return now.toString();
    }
}
