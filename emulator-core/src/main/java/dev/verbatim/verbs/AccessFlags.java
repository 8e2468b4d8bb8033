// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Rights of a memory region and of a queue pair ({@code enum ibv_access_flags}). Local read is always permitted (MR-10). */
public final class AccessFlags {

    /** The device may write for the local side: receive buffers, READ and atomic results. */
    public static final int LOCAL_WRITE = 1;

    /** A peer may RDMA WRITE; needs LOCAL_WRITE (MR-03). */
    public static final int REMOTE_WRITE = 1 << 1;

    /** A peer may RDMA READ. */
    public static final int REMOTE_READ = 1 << 2;

    /** A peer may execute atomics; needs LOCAL_WRITE (MR-04). */
    public static final int REMOTE_ATOMIC = 1 << 3;

    /** Memory windows may be bound to the region. */
    public static final int MW_BIND = 1 << 4;

    /** Addresses of the region start at 0 (MR-20). */
    public static final int ZERO_BASED = 1 << 5;

    /** On-demand paging; needs a device that has it (MR-05, MR-73). */
    public static final int ON_DEMAND = 1 << 6;

    /** Huge pages; accepted and without effect. */
    public static final int HUGETLB = 1 << 7;

    /** FLUSH to global visibility; needs a device capability (MR-06). */
    public static final int FLUSH_GLOBAL = 1 << 8;

    /** FLUSH to persistence; needs a device capability (MR-06). */
    public static final int FLUSH_PERSISTENT = 1 << 9;

    /** A hint: bits 20 to 29 are ignored where unsupported (MR-02). */
    public static final int RELAXED_ORDERING = 1 << 20;

    /**
     * A draft of rdma-core, which may change: as {@link #RELAXED_ORDERING}, which it implies, and a READ behind a WRITE may return what
     * was there before (MR-71).
     */
    public static final int UNORDERED = 1 << 21;

    private AccessFlags() {}

    /** The names of the set bits joined by {@code |}, {@code 0} for none. */
    public static String describe(int flags) {
        return FlagNames.describe(
                flags,
                "LOCAL_WRITE",
                "REMOTE_WRITE",
                "REMOTE_READ",
                "REMOTE_ATOMIC",
                "MW_BIND",
                "ZERO_BASED",
                "ON_DEMAND",
                "HUGETLB",
                "FLUSH_GLOBAL",
                "FLUSH_PERSISTENT");
    }
}
