// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbatim.ibverbs.abi.Native;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the library of C offers to Java: its symbols, as listed in symbols.txt, and a test of memory. */
public final class Library {

    private static final int SYMBOL_BYTES = 24, WHERE = 0, FAILS = 8, FORWARDER = 16;

    private static @Nullable Library library;

    private final int count;
    private final long symbols;
    private final MethodHandle usable;
    private final Map<String, Long> forwarders = new HashMap<>();

    private Library(long table) {
        count = Math.toIntExact(Native.getLong(table));
        symbols = Native.getLong(table + 8);
        usable = Native.function(
                MemorySegment.ofAddress(Native.getLong(table + 16)),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        for (int i = 0; i < count; i++) {
            Symbol symbol = symbol(i);
            forwarders.put(symbol.name(), Native.getLong(symbols + (long) i * SYMBOL_BYTES + FORWARDER));
        }
    }

    static void describedAt(long table) {
        library = new Library(table);
    }

    /** That of this process. */
    public static Library get() {
        return Objects.requireNonNull(library, "the library has not begun");
    }

    Symbol symbol(int index) {
        long at = symbols + (long) index * SYMBOL_BYTES;
        String where = Native.string(Native.getLong(at + WHERE));
        int name = where.lastIndexOf('.');
        return new Symbol(where.substring(0, name), where.substring(name + 1), Fails.of(Native.getInt(at + FAILS)));
    }

    /** The function pointer that C programs call for a member of a table of functions, such as {@code op_poll_cq}. */
    public static long pointerTo(String operation) {
        Long pointer = get().forwarders.get(operation);
        if (pointer == null) {
            throw new IllegalArgumentException("operation=" + operation + " is not in symbols.txt");
        }
        return pointer;
    }

    /** Whether each page of a range can be read, or written, at this moment. */
    public static boolean isUsable(long address, long lengthBytes, boolean written) {
        try {
            return (long) get().usable.invokeExact(address, lengthBytes, written ? 1L : 0L) != 0;
        } catch (Throwable e) {
            throw Native.rethrown(e);
        }
    }
}
