// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.abi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the process by absolute addresses, and the few functions of the C library that the device needs. Nothing is checked:
 * an address of a program's mistake faults as it does in C, be it 0 or -1.
 */
public final class Native {

    /** Of a page of memory. */
    public static final long PAGE_BYTES = 4096;

    /** The offset of preadv2(2) where the descriptor has one, or none. */
    private static final long AT_ITS_PLACE = -1;

    private static final int RWF_NOWAIT = 8;

    /** {@code EFD_NONBLOCK}, {@code EFD_SEMAPHORE} and {@code EFD_CLOEXEC} of eventfd(2). */
    public static final int EFD_SEMAPHORE = 1, EFD_NONBLOCK = 0x800, EFD_CLOEXEC = 0x80000;

    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** Bits that an address may have. No processor uses those above, nor the highest of these, so what is none faults as before. */
    private static final long ADDRESS_BITS = Long.MAX_VALUE >>> 1;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private static final Linker LINKER = Linker.nativeLinker();

    /** The type of all functions, whatever they take: a type takes the JVM milliseconds, and a function of one that is known almost nothing. */
    private static final FunctionDescriptor SIX =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    // All are found at the beginning: what is first used when the heap is full would not be there for ever.
    private static final MethodHandle CALLOC = find("calloc");
    private static final MethodHandle FREE = find("free");
    private static final MethodHandle ERRNO = find("__errno_location");
    private static final MethodHandle EVENTFD = find("eventfd");
    private static final MethodHandle READ = find("read");
    private static final MethodHandle WRITE = find("write");
    private static final MethodHandle CLOSE = find("close");
    private static final MethodHandle PREADV2 = find("preadv2");
    private static final MethodHandle MINCORE = find("mincore");
    private static final MethodHandle DLADDR1 = find("dladdr1");
    private static final MethodHandle FREEADDRINFO = find("freeaddrinfo");

    private static final int RTLD_DL_LINKMAP = 2;

    private Native() {}

    private static MethodHandle find(String name) {
        return function(LINKER.defaultLookup().find(name).orElseThrow().address());
    }

    /**
     * A function that does not call back and returns soon, by its address: the thread stays in Java, so it takes a few nanoseconds. It is
     * given six values of 64 bits, of which it takes as many as it wants; of a result that is an int the upper bits mean nothing.
     */
    public static MethodHandle function(long address) {
        return LINKER.downcallHandle(MemorySegment.ofAddress(address), SIX, Linker.Option.critical(false));
    }

    /** The same of a function that may wait. */
    public static MethodHandle waitingFunction(long address) {
        return LINKER.downcallHandle(MemorySegment.ofAddress(address), SIX);
    }

    /** A function pointer of C that calls {@code target}. It lives as long as the process. */
    public static long pointerTo(MethodHandle target, FunctionDescriptor type) {
        return LINKER.upcallStub(target, type, Arena.global()).address();
    }

    public static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address & ADDRESS_BITS);
    }

    public static void putByte(long address, int value) {
        ALL.set(JAVA_BYTE, address & ADDRESS_BITS, (byte) value);
    }

    public static short getShort(long address) {
        return ALL.get(SHORT, address & ADDRESS_BITS);
    }

    public static void putShort(long address, int value) {
        ALL.set(SHORT, address & ADDRESS_BITS, (short) value);
    }

    public static int getInt(long address) {
        return ALL.get(INT, address & ADDRESS_BITS);
    }

    public static void putInt(long address, int value) {
        ALL.set(INT, address & ADDRESS_BITS, value);
    }

    public static long getLong(long address) {
        return ALL.get(LONG, address & ADDRESS_BITS);
    }

    public static void putLong(long address, long value) {
        ALL.set(LONG, address & ADDRESS_BITS, value);
    }

    /** Copies bytes within the process. */
    public static void copy(long from, long to, long lengthBytes) {
        MemorySegment.copy(ALL, from & ADDRESS_BITS, ALL, to & ADDRESS_BITS, lengthBytes);
    }

    /** Copies bytes of the process into an array. */
    public static byte[] bytes(long from, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        MemorySegment.copy(ALL, JAVA_BYTE, from & ADDRESS_BITS, bytes, 0, lengthBytes);
        return bytes;
    }

    /** Copies an array into the process. */
    public static void putBytes(long to, byte[] bytes, int lengthBytes) {
        MemorySegment.copy(bytes, 0, ALL, JAVA_BYTE, to & ADDRESS_BITS, lengthBytes);
    }

    /** Copies a few bytes of the process into a buffer, by words, without an object; position and order of the buffer stay. */
    public static void copyTo(long from, int lengthBytes, ByteBuffer target, int targetOffset) {
        boolean swapped = target.order() != ByteOrder.nativeOrder();
        int at = 0;
        for (; at <= lengthBytes - Long.BYTES; at += Long.BYTES) {
            long word = getLong(from + at);
            target.putLong(targetOffset + at, swapped ? Long.reverseBytes(word) : word);
        }
        for (; at < lengthBytes; at++) {
            target.put(targetOffset + at, getByte(from + at));
        }
    }

    public static void clear(long address, long lengthBytes) {
        ALL.asSlice(address & ADDRESS_BITS, lengthBytes).fill((byte) 0);
    }

    /** A direct buffer, in native order, upon memory of the process. */
    public static ByteBuffer buffer(long address, int lengthBytes) {
        return ALL.asSlice(address & ADDRESS_BITS, lengthBytes).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** A string of C, up to its end; null for NULL. */
    public static String string(long address) {
        return ALL.getString(address & ADDRESS_BITS);
    }

    /** Writes a string with its end, cut to a field of that length. */
    public static void putString(long address, String text, int fieldBytes) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, fieldBytes - 1);
        putBytes(address, bytes, length);
        putByte(address + length, 0);
    }

    /** A string of C that lives as long as the process. */
    public static long permanentString(String text) {
        int room = text.getBytes(StandardCharsets.UTF_8).length + 1;
        long address = allocate(room);
        putString(address, text, room);
        return address;
    }

    /**
     * Allocates zeroed memory, which C may free.
     *
     * @throws OutOfMemoryError if there is none
     */
    public static long allocate(long lengthBytes) {
        try {
            long address = (long) CALLOC.invokeExact(1L, lengthBytes, 0L, 0L, 0L, 0L);
            if (address == 0) {
                throw new OutOfMemoryError("calloc of " + lengthBytes + " bytes");
            }
            return address;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Frees what {@link #allocate} gave, or C allocated; nothing for 0. */
    public static void free(long address) {
        try {
            long unused = (long) FREE.invokeExact(address, 0L, 0L, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code eventfd}; -1 with {@link #errno()} if it fails. */
    public static int eventfd(int initial, int flags) {
        try {
            return (int) (long) EVENTFD.invokeExact((long) initial, (long) flags, 0L, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Whether the process could open so many descriptors more. */
    public static boolean hasDescriptors(int count) {
        int[] opened = new int[count];
        int had = 0;
        while (had < count && (opened[had] = eventfd(0, EFD_CLOEXEC)) >= 0) {
            had++;
        }
        for (int i = 0; i < had; i++) {
            int unused = close(opened[i]);
        }
        return had == count;
    }

    /** {@code read} of a descriptor that does not block. */
    public static long read(int descriptor, long address, long lengthBytes) {
        try {
            return (long) READ.invokeExact((long) descriptor, address, lengthBytes, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code preadv2} with RWF_NOWAIT into the buffers of a {@code struct iovec[]}: never blocks. */
    public static long readAtOnce(int descriptor, long vectors, int count) {
        try {
            return (long)
                    PREADV2.invokeExact((long) descriptor, vectors, (long) count, AT_ITS_PLACE, (long) RWF_NOWAIT, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code write} to a descriptor that does not block. */
    public static long write(int descriptor, long address, long lengthBytes) {
        try {
            return (long) WRITE.invokeExact((long) descriptor, address, lengthBytes, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /**
     * {@code poll}, which may wait.
     *
     * @return number of descriptors that are ready, or the negative error number
     */
    public static int poll(long descriptors, int count, int timeoutMillis) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment captured = arena.allocate(Polls.CAPTURED);
            int ready = (int) Polls.POLL.invokeExact(captured, descriptors, (long) count, timeoutMillis);
            return ready < 0 ? -(int) Polls.CAPTURED_ERRNO.get(captured, 0L) : ready;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /**
     * {@code getaddrinfo}, which may wait.
     *
     * @param result where the address of the answers is written
     * @return 0, or one of its own error numbers
     */
    public static int getaddrinfo(long node, long service, long hints, long result) {
        try {
            return (int) (long) Waits.GETADDRINFO.invokeExact(node, service, hints, result, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Frees the answers of {@link #getaddrinfo}. */
    public static void freeaddrinfo(long answers) {
        try {
            long unused = (long) FREEADDRINFO.invokeExact(answers, 0L, 0L, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    public static int close(int descriptor) {
        try {
            return (int) (long) CLOSE.invokeExact((long) descriptor, 0L, 0L, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Whether the page of an address is mapped, be it readable or not. */
    public static boolean isMapped(long address) {
        try {
            return (int) (long) MINCORE.invokeExact(address & -PAGE_BYTES, 1L, Pages.RESIDENCE, 0L, 0L, 0L) == 0;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code msync} of whole pages, which waits for the file; whether it succeeded. */
    public static boolean synchronize(long address, long lengthBytes) {
        long from = address & -PAGE_BYTES;
        try {
            return (int) (long) Waits.MSYNC.invokeExact(
                            from, address - from + lengthBytes, (long) Waits.MS_SYNC, 0L, 0L, 0L)
                    == 0;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /**
     * What the loader knows of an address.
     *
     * @param file of the library; empty for the program
     * @param base what is added to the addresses of the file
     */
    public record Loaded(String file, long base) {}

    /** Where an address is; null if it is in no file that was loaded. */
    public static @Nullable Loaded loadedAt(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info =
                    arena.allocate(5L * Long.BYTES, Long.BYTES); // Dl_info, and the pointer to a struct link_map
            long map = info.address() + 4L * Long.BYTES;
            if ((int) (long) DLADDR1.invokeExact(address, info.address(), map, (long) RTLD_DL_LINKMAP, 0L, 0L) == 0
                    || getLong(map) == 0) {
                return null;
            }
            long entry = getLong(map);
            return new Loaded(string(getLong(entry + Long.BYTES)), getLong(entry));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code errno} of the calling thread. */
    public static int errno() {
        return getInt(errnoAddress());
    }

    /** Sets {@code errno} of the calling thread. */
    public static void errno(int value) {
        putInt(errnoAddress(), value);
    }

    private static long errnoAddress() {
        try {
            return (long) ERRNO.invokeExact(0L, 0L, 0L, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Functions of C throw nothing; what a call of one throws is the JVM's. */
    public static Error rethrown(Throwable thrown) {
        if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(thrown);
    }

    // Functions that wait are of other types, so those that few programs need are linked when they are first used.

    private static final class Waits {

        static final int MS_SYNC = 4;
        static final MethodHandle MSYNC = waiting("msync");
        static final MethodHandle GETADDRINFO = waiting("getaddrinfo");

        private Waits() {}

        private static MethodHandle waiting(String name) {
            return waitingFunction(
                    LINKER.defaultLookup().find(name).orElseThrow().address());
        }
    }

    private static final class Polls {

        static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
        static final MethodHandle POLL = LINKER.downcallHandle(
                LINKER.defaultLookup().find("poll").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
                Linker.Option.captureCallState("errno"));
        static final VarHandle CAPTURED_ERRNO = CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));

        private Polls() {}
    }

    private static final class Pages {

        static final long RESIDENCE = allocate(1);

        private Pages() {}
    }
}
