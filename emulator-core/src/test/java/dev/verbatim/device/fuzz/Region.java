// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** A place of the ground that may be registered, once at a time. */
final class Region {

    private static final int ALL = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    /** Rights that a program might give. */
    static final int[] RIGHTS = {
        ALL,
        AccessFlags.LOCAL_WRITE,
        AccessFlags.REMOTE_READ,
        AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE,
        AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND,
        AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_ATOMIC,
        ALL,
        ALL & ~AccessFlags.MW_BIND | AccessFlags.ZERO_BASED,
        0,
        AccessFlags.REMOTE_READ | AccessFlags.MW_BIND,
    };

    final int begin;
    final int lengthBytes;

    /** Whether it is in a domain in which no queue pair is. */
    final boolean foreign;

    @Nullable
    MemoryRegion registered;

    int lastRkey;
    int lastLkey;
    long address;

    Region(int begin, int lengthBytes, boolean foreign) {
        this.begin = begin;
        this.lengthBytes = lengthBytes;
        this.foreign = foreign;
    }

    void register(ProtectionDomain pd, Ground ground, int access) {
        MemoryRegion region = pd.register(ground.memory(), begin, lengthBytes, access);
        registered = region;
        lastRkey = region.rkey();
        lastLkey = region.lkey();
        address = region.address();
    }

    /** Whether it is registered with one of these rights at least, and has this byte. */
    boolean gives(int rights, int index) {
        return covers(index) && registered != null && (registered.access() & rights) != 0;
    }

    boolean covers(int index) {
        return registered != null && index >= begin && index < begin + lengthBytes;
    }
}
