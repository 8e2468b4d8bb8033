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
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Does what a program does first, in a JVM of its own, so that a cache of classes can be made of it. The library joins this JVM, and
 * finds its classes on the class path.
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

    private long call(String name, long... with) throws Throwable {
        MemorySegment address = library.find(name).orElseThrow();
        long[] all = Arrays.copyOf(with, 6);
        return (long) Linker.nativeLinker()
                .downcallHandle(address, SIX)
                .invokeExact(all[0], all[1], all[2], all[3], all[4], all[5]);
    }

    /** Usage: the directory of the library. */
    public static void main(String... arguments) throws Throwable {
        Exec.rehearse();
        new StartUpRun(Path.of(arguments[0], "libibverbs.so.1")).play();
    }

    private void play() throws Throwable {
        long list = call("ibv_get_device_list", Native.allocate(8));
        long device = Native.getLong(list);
        long unused = call("ibv_get_device_name", device);
        unused = call("ibv_get_device_guid", device);
        long context = call("ibv_open_device", device);
        long room = Native.allocate(4096);
        unused = call("ibv_query_device", context, room);
        unused = call("ibv_query_port", context, 1, room);
        unused = call("ibv_query_gid", context, 1, 0, room);
        unused = call("ibv_query_pkey", context, 1, 0, room);
        long pd = call("ibv_alloc_pd", context);
        long mr = call("ibv_reg_mr", pd, room, 4096, 7);
        long channel = call("ibv_create_comp_channel", context);
        long cq = call("ibv_create_cq", context, 16, 0, channel, 0);
        long events = call("rdma_create_event_channel");
        long id = Native.allocate(8);
        unused = call("rdma_create_id", events, id, 0, 0x106);
        unused = call("rdma_destroy_id", Native.getLong(id));
        unused = call("ibv_destroy_cq", cq);
        unused = call("ibv_destroy_comp_channel", channel);
        unused = call("ibv_dereg_mr", mr);
        unused = call("ibv_dealloc_pd", pd);
        unused = call("ibv_close_device", context);
        if (unused != 0) {
            throw new IllegalStateException("the device could not be closed: errno " + unused);
        }
    }
}
