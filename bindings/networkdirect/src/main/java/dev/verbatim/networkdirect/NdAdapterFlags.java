// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Bits of {@link NdAdapterInfo#adapterFlags()}. */
public final class NdAdapterFlags {

    /** Data is written in order, the last byte last, so a program may poll that byte. */
    public static final int IN_ORDER_DMA_SUPPORTED = 0x1;

    /** Interrupts of a CQ can be moderated. */
    public static final int CQ_INTERRUPT_MODERATION_SUPPORTED = 0x4;

    /** It has several engines. */
    public static final int MULTI_ENGINE_SUPPORTED = 0x8;

    /** CQs can be resized. (The text of the documentation describes moderation instead.) */
    public static final int CQ_RESIZE_SUPPORTED = 0x100;

    /** It can connect to itself. */
    public static final int LOOPBACK_CONNECTIONS_SUPPORTED = 0x10000;

    private static final Map<Integer, String> NAMES = new TreeMap<>(Map.of(
            IN_ORDER_DMA_SUPPORTED, "IN_ORDER_DMA_SUPPORTED",
            CQ_INTERRUPT_MODERATION_SUPPORTED, "CQ_INTERRUPT_MODERATION_SUPPORTED",
            MULTI_ENGINE_SUPPORTED, "MULTI_ENGINE_SUPPORTED",
            CQ_RESIZE_SUPPORTED, "CQ_RESIZE_SUPPORTED",
            LOOPBACK_CONNECTIONS_SUPPORTED, "LOOPBACK_CONNECTIONS_SUPPORTED"));

    private NdAdapterFlags() {}

    /** The names of the bits that are set, joined by |; bits without a name as a hexadecimal number. */
    public static String toString(int adapterFlags) {
        StringJoiner told = new StringJoiner("|").setEmptyValue("0");
        int unknown = adapterFlags;
        for (Map.Entry<Integer, String> flag : NAMES.entrySet()) {
            if ((adapterFlags & flag.getKey()) != 0) {
                told.add(flag.getValue());
                unknown &= ~flag.getKey();
            }
        }
        if (unknown != 0) {
            told.add("0x" + Integer.toHexString(unknown));
        }
        return told.toString();
    }
}
