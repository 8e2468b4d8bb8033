// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.verbatim.ibverbs.abi.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the library of C offers to Java: its symbols, as listed in symbols.txt, a test of memory, and who calls. */
public final class Library {

    private static final int SYMBOL_BYTES = 24, WHERE = 0, FAILS = 8, FORWARDER = 16;

    /** Places in the table, behind the number of symbols. */
    private static final int SYMBOLS = 8, USABLE = 16, CALLED = 24, RUNS = 32, MEMORY = 40;

    private static @Nullable Library library;

    private final long table;
    private final Symbol[] symbols;
    private final MethodHandle usable;
    private final Map<String, Long> forwarders = new HashMap<>();

    private Library(long table) {
        this.table = table;
        usable = Native.function(function(USABLE));
        symbols = new Symbol[Math.toIntExact(Native.getLong(table))];
        for (int i = 0; i < symbols.length; i++) {
            long at = Native.getLong(table + SYMBOLS) + (long) i * SYMBOL_BYTES;
            symbols[i] = new Symbol(Native.string(Native.getLong(at + WHERE)), Fails.of(Native.getInt(at + FAILS)));
            forwarders.put(symbols[i].name(), Native.getLong(at + FORWARDER));
        }
    }

    /** One of the functions that the table leads to, by its place there. */
    private long function(int offset) {
        return Native.getLong(table + offset);
    }

    /** What only programs that ask for explanations need is linked when it is first used. */
    private static final class Explaining {

        static final MethodHandle CALLERS = Native.function(get().function(CALLED));
        static final MethodHandle RUN = Native.waitingFunction(get().function(RUNS));

        private Explaining() {}
    }

    static void describedAt(long table) {
        library = new Library(table);
    }

    /** Whether this process has one: it may have classes of this module and no C. */
    public static boolean isThere() {
        return library != null;
    }

    /** That of this process. */
    public static Library get() {
        return Objects.requireNonNull(library, "the library has not begun");
    }

    /** The functions that Java answers, by their indexes. */
    Symbol[] symbols() {
        return symbols;
    }

    /** The name of the function of symbols.txt with an index. */
    public String nameOf(int index) {
        return symbols[index].name();
    }

    /** The function pointer that C programs call for a member of a table of functions, such as {@code op_poll_cq}. */
    public static long pointerTo(String operation) {
        Long pointer = get().forwarders.get(operation);
        if (pointer == null) {
            throw new IllegalArgumentException("operation=" + operation + " is not in symbols.txt");
        }
        return pointer;
    }

    /** The struct of memory.h, where regions are listed whose memory is watched; 0 if it is not. */
    public static long memory() {
        return Native.getLong(get().table + MEMORY);
    }

    /** Whether each page of a range can be read, or written, at this moment. */
    public static boolean isUsable(long address, long lengthBytes, boolean written) {
        try {
            return (long) get().usable.invokeExact(address, lengthBytes, written ? 1L : 0L, 0L, 0L, 0L) != 0;
        } catch (Throwable e) {
            throw Native.rethrown(e);
        }
    }

    /** Where the return addresses of the program's frames are left when this thread calls, if explanations are wanted. */
    public static long callers() {
        try {
            return (long) Explaining.CALLERS.invokeExact(0L, 0L, 0L, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw Native.rethrown(e);
        }
    }

    /**
     * Runs a program with no variables but a PATH, unseen by the process's waits for its children.
     *
     * @param words the file, and its arguments
     * @param mostBytes what it writes beyond that is dropped
     * @return what it wrote on standard output; empty if it failed
     */
    public static String run(List<String> words, int mostBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(mostBytes);
            long length = (long) Explaining.RUN.invokeExact(
                    strings(arena, words).address(),
                    strings(arena, List.of("PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"))
                            .address(),
                    text.address(),
                    (long) mostBytes,
                    0L,
                    0L);
            return length <= 0
                    ? ""
                    : StandardCharsets.UTF_8
                            .decode(text.asSlice(0, length).asByteBuffer())
                            .toString();
        } catch (Throwable e) {
            throw Native.rethrown(e);
        }
    }

    private static MemorySegment strings(Arena arena, List<String> texts) {
        MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        return array;
    }
}
