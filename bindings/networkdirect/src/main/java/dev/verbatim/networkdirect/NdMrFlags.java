// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** Flags of {@link NdMemoryRegion#register}. */
public final class NdMrFlags {

    /** Receives and results of Reads may land in it; windows with ALLOW_WRITE may be bound to it. */
    public static final int ALLOW_LOCAL_WRITE = 0x1;

    /** Peers may read it by its remote token. */
    public static final int ALLOW_REMOTE_READ = 0x2;

    /** Peers may write it by its remote token. It contains ALLOW_LOCAL_WRITE: test {@link #REMOTE_WRITE_BIT} alone. */
    public static final int ALLOW_REMOTE_WRITE = 0x5;

    /** The bit of ALLOW_REMOTE_WRITE that no other flag has. */
    public static final int REMOTE_WRITE_BIT = 0x4;

    /** Results of Reads may land in it, where iWARP is spoken; InfiniBand ignores it. */
    public static final int RDMA_READ_SINK = 0x8;

    /** Without effect. */
    public static final int DO_NOT_SECURE_VM = 0x80000000;

    static final int ALL =
            ALLOW_LOCAL_WRITE | ALLOW_REMOTE_READ | ALLOW_REMOTE_WRITE | RDMA_READ_SINK | DO_NOT_SECURE_VM;

    private NdMrFlags() {}
}
