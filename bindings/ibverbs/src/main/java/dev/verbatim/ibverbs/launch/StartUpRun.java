// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import dev.verbatim.ibverbs.abi.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Does what a program does first, in a JVM of its own, so that a cache of classes can be made of it, and with two devices what it does
 * all the time. The library joins this JVM, and finds its classes on the class path.
 */
final class StartUpRun {

    private static final FunctionDescriptor SIX = FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);

    private final SymbolLookup library;

    private StartUpRun(Path library) {
        this.library = SymbolLookup.libraryLookup(library, Arena.global());
    }

    long call(String name, long... with) throws Throwable {
        long[] all = Arrays.copyOf(with, 6);
        return (long)
                function(library.find(name).orElseThrow()).invokeExact(all[0], all[1], all[2], all[3], all[4], all[5]);
    }

    static MethodHandle function(MemorySegment address) {
        return Linker.nativeLinker().downcallHandle(address, SIX);
    }

    /** Usage: the directory of the library. */
    public static void main(String... arguments) throws Throwable {
        Exec.rehearse();
        new StartUpRun(Path.of(arguments[0], "libibverbs.so.1")).play();
    }

    private void play() throws Throwable {
        long list = call("ibv_get_device_list", 0);
        long device = Native.getLong(list);
        long unused = call("ibv_get_device_name", device);
        unused = call("ibv_get_device_guid", device);
        long context = call("ibv_open_device", device);
        long room = Native.allocate(4096);
        unused = call("ibv_query_device", context, room);
        unused = call("ibv_query_port", context, 1, room);
        unused = call("ibv_query_pkey", context, 1, 0, room);
        long channel = call("ibv_create_comp_channel", context);
        long cq = call("ibv_create_cq", context, 16, 0, channel, 0);
        long events = call("rdma_create_event_channel");
        long id = Native.allocate(8);
        unused = call("rdma_create_id", events, id, 0, 0x106);
        unused = call("rdma_destroy_id", Native.getLong(id));
        unused = call("ibv_destroy_cq", cq);
        unused = call("ibv_destroy_comp_channel", channel);
        // The second of VERBATIM_DEVICES=2.
        long second = Native.getLong(list + Long.BYTES);
        if (second != 0) {
            new StartUpTraffic(this, context, call("ibv_open_device", second)).run();
        }
        unused = call("ibv_close_device", context);
        if (unused != 0) {
            throw new IllegalStateException("the device could not be closed: errno " + unused);
        }
    }
}
