// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Absolute big-endian access to any buffer, whatever byte order its owner has set on it. */
final class BigEndian {
    private static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private BigEndian() {}

    static int getUnsignedByte(ByteBuffer buffer, int at) {
        return buffer.get(at) & 0xff;
    }

    static int getUnsignedShort(ByteBuffer buffer, int at) {
        return (short) SHORT.get(buffer, at) & 0xffff;
    }

    static int getInt(ByteBuffer buffer, int at) {
        return (int) INT.get(buffer, at);
    }

    static long getLong(ByteBuffer buffer, int at) {
        return (long) LONG.get(buffer, at);
    }

    static void putByte(ByteBuffer buffer, int at, int value) {
        buffer.put(at, (byte) value);
    }

    static void putShort(ByteBuffer buffer, int at, int value) {
        SHORT.set(buffer, at, (short) value);
    }

    static void putInt(ByteBuffer buffer, int at, int value) {
        INT.set(buffer, at, value);
    }

    static void putLong(ByteBuffer buffer, int at, long value) {
        LONG.set(buffer, at, value);
    }
}
