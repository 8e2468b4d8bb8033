// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A number that a method returns in a parameter, such as {@code ULONG* pcbBuffer}. */
public final class NdSize {

    private int value;

    /** Zero. */
    public NdSize() {}

    /** Some number. */
    public NdSize(int value) {
        this.value = value;
    }

    /** The number. */
    public int value() {
        return value;
    }

    /** Sets it. */
    public void value(int newValue) {
        value = newValue;
    }

    /** Sets it to the length, and copies as many of these bytes as there is room for: SUCCESS, BUFFER_OVERFLOW. */
    NdStatus copy(byte[] bytes, int lengthBytes, byte @Nullable [] buffer) {
        value = lengthBytes;
        int room = buffer == null ? 0 : buffer.length;
        if (buffer != null) {
            System.arraycopy(bytes, 0, buffer, 0, Math.min(room, lengthBytes));
        }
        return room < lengthBytes ? NdStatus.BUFFER_OVERFLOW : NdStatus.SUCCESS;
    }

    /** Sets it to how many there are, and copies them if the list has room: SUCCESS, BUFFER_OVERFLOW. */
    NdStatus copy(InetSocketAddress[] all, InetSocketAddress @Nullable [] list) {
        value = all.length;
        if (list == null || list.length < all.length) {
            return NdStatus.BUFFER_OVERFLOW;
        }
        System.arraycopy(all, 0, list, 0, all.length);
        return NdStatus.SUCCESS;
    }
}
