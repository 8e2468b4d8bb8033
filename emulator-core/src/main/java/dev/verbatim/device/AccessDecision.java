// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AccessFlags;
import org.jspecify.annotations.Nullable;

/**
 * The one function that decides who may touch what. Pure: the answer follows from the arguments alone. The responder,
 * the checks of local elements and every explanation come from here; memory windows join here too, beside the regions.
 */
public final class AccessDecision {

    private static final long ATOMIC_ALIGNMENT_MASK = 7;

    private AccessDecision() {}

    /**
     * A peer's request: the queue pair's right, then alignment, then, unless no byte is touched (MR-31), the key.
     *
     * @param grantedByQp access flags of the queue pair
     * @param pd the queue pair's domain
     * @param lengthBytes bytes touched, from 0
     * @return null if allowed
     */
    public static @Nullable Denial remote(
            KeyTable keys,
            int grantedByQp,
            EmulatedProtectionDomain pd,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int rkey) {
        Denial denial = queuePairRight(grantedByQp, operation);
        return denial != null ? denial : remoteKey(keys, pd, operation, address, lengthBytes, rkey);
    }

    /** The first part of {@link #remote}: what the queue pair grants (MW-100, WC-25). */
    public static @Nullable Denial queuePairRight(int grantedByQp, AccessOperation operation) {
        if ((grantedByQp & operation.right()) != 0) {
            return null;
        }
        return Denial.invalidRequest(
                "WC-25",
                "%s is not among the queue pair's access flags %s; add it by modify_qp",
                AccessFlags.describe(operation.right()),
                AccessFlags.describe(grantedByQp));
    }

    /** The second part of {@link #remote}: alignment and key. */
    public static @Nullable Denial remoteKey(
            KeyTable keys,
            EmulatedProtectionDomain pd,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int rkey) {
        if (operation == AccessOperation.ATOMIC && (address & ATOMIC_ALIGNMENT_MASK) != 0) {
            return Denial.invalidRequest("WR-35", "atomic address 0x%x is not a multiple of 8", address);
        }
        if (lengthBytes == 0) {
            return null;
        }
        EmulatedMemoryRegion region = keys.byRemoteKey(rkey);
        if (region == null) {
            return unknownRemoteKey(keys, operation, rkey);
        }
        return inRegion(region, pd, operation, address, lengthBytes, rkey, "MR-41", "MR-12");
    }

    /**
     * A local element: key, domain, right and range (MR-40); an element of no bytes is not looked at (MR-32).
     *
     * @param pd domain of the queue pair, or of the shared receive queue (PD-06)
     * @return null if allowed
     */
    public static @Nullable Denial local(
            KeyTable keys,
            EmulatedProtectionDomain pd,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int lkey) {
        if (lengthBytes == 0) {
            return null;
        }
        EmulatedMemoryRegion region = keys.byLocalKey(lkey);
        if (region == null) {
            return unknownLocalKey(keys, lkey);
        }
        return inRegion(region, pd, operation, address, lengthBytes, lkey, "MR-40", "MR-11");
    }

    private static @Nullable Denial inRegion(
            EmulatedMemoryRegion region,
            EmulatedProtectionDomain pd,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int key,
            String domainRule,
            String rightRule) {
        if (region.pd() != pd) {
            return Denial.remoteAccess(
                    domainRule,
                    "key 0x%08x belongs to %s but the queue pair to %s; register the memory there",
                    key,
                    region.pd(),
                    pd);
        }
        if ((region.access() & operation.right()) != operation.right()) {
            return Denial.remoteAccess(
                    rightRule,
                    "%s needs %s but key 0x%08x has only %s; register the memory with %2$s",
                    operation,
                    AccessFlags.describe(operation.right()),
                    key,
                    AccessFlags.describe(region.access()));
        }
        if (Long.compareUnsigned(address + lengthBytes - 1, address) < 0) {
            return Denial.remoteAccess(
                    "MR-23",
                    "%s of %d bytes at 0x%x passes the end of 64 bits; key 0x%08x covers [0x%x,0x%x)",
                    operation,
                    lengthBytes,
                    address,
                    key,
                    region.address(),
                    region.address() + region.lengthBytes());
        }
        if (!region.covers(address, lengthBytes)) {
            return Denial.remoteAccess(
                    "MR-22",
                    "%s of %d bytes at 0x%x needs [0x%x,0x%x) but key 0x%08x covers [0x%x,0x%x)",
                    operation,
                    lengthBytes,
                    address,
                    address,
                    address + lengthBytes,
                    key,
                    region.address(),
                    region.address() + region.lengthBytes());
        }
        return null;
    }

    private static Denial unknownRemoteKey(KeyTable keys, AccessOperation operation, int rkey) {
        EmulatedMemoryRegion region = keys.byLocalKey(rkey);
        if (region != null && region.rkey() == 0) {
            return Denial.remoteAccess(
                    "MR-13",
                    "key 0x%08x is the local key of a region registered with %s, which has no remote key; register it"
                            + " with %s",
                    rkey,
                    AccessFlags.describe(region.access()),
                    AccessFlags.describe(operation.right()));
        }
        if (region != null) {
            return Denial.remoteAccess(
                    "MR-14", "key 0x%08x is the local key of a region; its remote key is 0x%08x", rkey, region.rkey());
        }
        return unknownKey(keys, rkey);
    }

    private static Denial unknownLocalKey(KeyTable keys, int lkey) {
        EmulatedMemoryRegion region = keys.byRemoteKey(lkey);
        if (region != null) {
            return Denial.remoteAccess(
                    "MR-14", "key 0x%08x is the remote key of a region; its local key is 0x%08x", lkey, region.lkey());
        }
        if (lkey == 0) {
            return Denial.remoteAccess(
                    "MR-44", "local key 0 names no memory for a program; use the local key of a region");
        }
        return unknownKey(keys, lkey);
    }

    private static Denial unknownKey(KeyTable keys, int key) {
        EmulatedMemoryRegion region = keys.regionAt(key);
        if (key >>> Byte.SIZE == 0) {
            return Denial.remoteAccess(
                    "KEY-P7", "key 0x%08x names no memory: no key has index 0; was this one ever set?", key);
        }
        if (keys.wasValid(key)) {
            return Denial.remoteAccess("MR-55", "key 0x%08x was of a region that has been deregistered", key);
        }
        if (region != null) {
            return Denial.remoteAccess(
                    "KEY-04",
                    "key 0x%08x names no memory; index 0x%06x is in use with local key 0x%08x and remote key 0x%08x",
                    key,
                    key >>> 8,
                    region.lkey(),
                    region.rkey());
        }
        return Denial.remoteAccess("KEY-04", "key 0x%08x names no memory", key);
    }
}
