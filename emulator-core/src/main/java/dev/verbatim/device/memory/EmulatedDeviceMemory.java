// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;

/** A part of the memory of a device, as a program has it, and how many regions lie on it. */
public final class EmulatedDeviceMemory implements dev.verbatim.verbs.DeviceMemory {

    private final OnboardMemory owner;
    private final DeviceContext device;
    private final Memory memory;
    private final int lengthBytes;
    private int regions;
    private volatile boolean open = true;

    EmulatedDeviceMemory(OnboardMemory owner, DeviceContext device, Memory memory) {
        this.owner = owner;
        this.device = device;
        this.memory = memory;
        this.lengthBytes = memory.buffer().capacity();
    }

    @Override
    public int lengthBytes() {
        return lengthBytes;
    }

    @Override
    public void write(long offset, ByteBuffer source) {
        VerbsException.requireNonNull(source, "source");
        int count = source.remaining();
        checkCopy(offset, count);
        memory.buffer().put((int) offset, source, source.position(), count);
        decided();
    }

    @Override
    public void read(long offset, ByteBuffer target) {
        VerbsException.requireNonNull(target, "target");
        int count = target.remaining();
        checkCopy(offset, count);
        target.put(target.position(), memory.buffer(), (int) offset, count);
        decided();
    }

    /** A step whether or not anybody is told, since an exploration is told of what it does not know alone. */
    private void decided() {
        device.lane().call(() -> device.decided(0, Rule.DM_02));
    }

    private void checkCopy(long offset, int count) {
        requireAllocated();
        if (offset < 0 || offset > lengthBytes - count) {
            throw VerbsException.of(
                    Errno.EFAULT,
                    Rule.DM_02,
                    "dm_offset=%d and length=%d leave the device memory of %d bytes",
                    offset,
                    count,
                    lengthBytes);
        }
    }

    private void requireAllocated() {
        if (!open) {
            throw VerbsException.of(Errno.ENOENT, Rule.DM_04, "%s was freed before", this);
        }
    }

    /** What a region on it is registered with, after it was checked (DM-03). On the lane. */
    public Memory forRegion(DeviceContext asking, int offset, int length, int access) {
        if (asking != device) {
            throw VerbsException.of(Errno.EINVAL, Rule.DM_03, "%s is not of device %s", this, asking.name());
        }
        requireAllocated();
        if ((access & AccessFlags.ZERO_BASED) == 0) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.DM_03,
                    "access=%s has no ZERO_BASED, which regions on device memory need; add it",
                    AccessFlags.describe(access));
        }
        if (offset < 0 || length < 0 || offset > lengthBytes - length) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.DM_03,
                    "dm_offset=%d and length=%d leave the device memory of %d bytes",
                    offset,
                    length,
                    lengthBytes);
        }
        device.decided(0, Rule.DM_03);
        return memory;
    }

    /** So many regions more, or fewer. On the lane. */
    public void countRegions(int change) {
        regions += change;
    }

    /** It is gone with its device. */
    void end() {
        open = false;
    }

    @Override
    public void close() {
        device.callTold(() -> {
            requireAllocated();
            if (regions > 0) {
                throw VerbsException.of(
                        Errno.EBUSY, Rule.DM_04, "%s has regions=%d; deregister them first", this, regions);
            }
            open = false;
            owner.release(this);
            device.closed(this);
        });
    }

    @Override
    public String toString() {
        return "device memory of " + lengthBytes + " bytes of " + device.name();
    }
}
