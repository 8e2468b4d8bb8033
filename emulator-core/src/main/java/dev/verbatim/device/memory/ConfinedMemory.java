// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds buffers of a confined arena, whose memory only one thread may use. Trying is not enough: the lane may run on just that
 * thread when the memory is registered, and on another in traffic. Buffers are asked through {@code java.lang.foreign}, which is
 * newer than the oldest Java that runs this; where it is missing, only the incubator of Java 17 has such memory.
 */
final class ConfinedMemory {

    /** Says of the memory of a buffer whether a thread may use it; null where there is nobody to ask. */
    private static final @Nullable MethodHandle IS_ACCESSIBLE_BY = find();

    /** Owns nothing, and never runs. */
    private static final Thread ANY_OTHER = new Thread("any other");

    private ConfinedMemory() {}

    /** Whether the memory of this buffer belongs to one thread, whichever that is. */
    static boolean holds(ByteBuffer buffer) {
        MethodHandle ask = IS_ACCESSIBLE_BY;
        try {
            return ask != null && !(boolean) ask.invokeExact((Buffer) buffer, ANY_OTHER);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle ofBuffer =
                    lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
            MethodHandle isAccessibleBy =
                    lookup.findVirtual(segment, "isAccessibleBy", MethodType.methodType(boolean.class, Thread.class));
            return MethodHandles.filterArguments(isAccessibleBy, 0, ofBuffer)
                    .asType(MethodType.methodType(boolean.class, Buffer.class, Thread.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
