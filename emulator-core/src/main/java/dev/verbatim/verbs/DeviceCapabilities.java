// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Bits of {@link DeviceAttributes#capabilities()} ({@code enum ibv_device_cap_flags}, {@code device_cap_flags_ex}). */
public final class DeviceCapabilities {

    /** The device sends RNR NAKs. */
    public static final int RC_RNR_NAK_GEN = 1 << 12;

    /** Shared receive queues can be resized (SRQ-05). */
    public static final int SRQ_RESIZE = 1 << 13;

    /** Supports memory windows of type 1 (MW-02). */
    public static final int MEM_WINDOW = 1 << 17;

    /** Supports XRC domains and queue pairs (XRC-01). */
    public static final int XRC = 1 << 20;

    /** Supports the base memory management extensions: windows of type 2, LOCAL_INV, SEND_WITH_INV. */
    public static final int MEM_MGT_EXTENSIONS = 1 << 21;

    /**
     * Windows of type 2 are of type 2A: usable through their queue pair; the protection domain is not checked (MW-02).
     */
    public static final int MEM_WINDOW_TYPE_2A = 1 << 23;

    /** Windows of type 2 are of type 2B: usable through their queue pair in their protection domain (MW-02). */
    public static final int MEM_WINDOW_TYPE_2B = 1 << 24;

    /** Supports FLUSH to global visibility (NW-02). */
    public static final long FLUSH_GLOBAL = 1L << 38;

    /** Supports FLUSH to persistence (NW-02). */
    public static final long FLUSH_PERSISTENT = 1L << 39;

    /** Supports ATOMIC_WRITE (NW-01). */
    public static final long ATOMIC_WRITE = 1L << 40;

    private DeviceCapabilities() {}
}
