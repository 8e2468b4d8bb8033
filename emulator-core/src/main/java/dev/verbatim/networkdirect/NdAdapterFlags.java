// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** Bits of {@link NdAdapterInfo#adapterFlags()}. */
public final class NdAdapterFlags {

    /** Data lands in order, the last byte last: one may spin on it. */
    public static final int IN_ORDER_DMA_SUPPORTED = 0x1;

    /** Interrupts of a CQ can be moderated. */
    public static final int CQ_INTERRUPT_MODERATION_SUPPORTED = 0x4;

    /** It has several engines. */
    public static final int MULTI_ENGINE_SUPPORTED = 0x8;

    /** CQs can be resized. (The text of the documentation describes moderation instead.) */
    public static final int CQ_RESIZE_SUPPORTED = 0x100;

    /** It can connect to itself. */
    public static final int LOOPBACK_CONNECTIONS_SUPPORTED = 0x10000;

    private NdAdapterFlags() {}
}
