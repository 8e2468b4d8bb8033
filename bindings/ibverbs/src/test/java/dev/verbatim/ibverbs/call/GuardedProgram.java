// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbatim.ibverbs.abi.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/**
 * Calls each function that Java answers while something is thrown, and says where one did not fail as symbols.txt says. Usage: the library.
 */
final class GuardedProgram {

    private static final int EIO = 5, ENOMEM = 12;

    private static final MethodHandle CALL = Linker.nativeLinker()
            .downcallHandle(
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    Linker.Option.captureCallState("errno"));

    private GuardedProgram() {}

    private static long call(long address, MemorySegment errno, long first) throws Throwable {
        return (long) CALL.invokeExact(MemorySegment.ofAddress(address), errno, first, 0L, 0L, 0L, 0L, 0L);
    }

    /** Writes what was wrong, and how many calls were tried. */
    public static void main(String... arguments) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(Linker.Option.captureStateLayout());
            SymbolLookup library = SymbolLookup.libraryLookup(Path.of(arguments[0]), arena);
            long unused = call(library.find("ibv_get_device_list").orElseThrow().address(), errno, 0);
            Symbol[] symbols = Library.get().symbols();
            int calls = 0;
            for (Symbol symbol : symbols) {
                for (Throwable thrown : List.of(
                        new OutOfMemoryError(), new StackOverflowError(), new IllegalStateException("a test"))) {
                    for (Guard.Place place : List.of(Guard.Place.BEFORE, Guard.Place.WITHIN, Guard.Place.BEHIND)) {
                        Guard.thrown = thrown;
                        Guard.place = place;
                        errno.set(JAVA_INT, 0, 0);
                        long result = call(Library.pointerTo(symbol.name()), errno, 0);
                        Guard.place = Guard.Place.NOWHERE;
                        int number = thrown instanceof VirtualMachineError ? ENOMEM : EIO;
                        boolean isRight = (int) result == (int) symbol.fails().with(number)
                                && (!symbol.fails().setsErrno() || errno.get(JAVA_INT, 0) == number);
                        if (!isRight && symbol.fails() != Fails.VOID) {
                            System.out.printf(
                                    "%s %s %s: %d, errno %d%n", symbol, place, thrown, result, errno.get(JAVA_INT, 0));
                        }
                        calls++;
                    }
                }
            }
            long name = call(library.find("ibv_wc_status_str").orElseThrow().address(), errno, 0);
            System.out.println(calls == symbols.length * 9 ? Native.string(name) : calls);
        }
    }
}
