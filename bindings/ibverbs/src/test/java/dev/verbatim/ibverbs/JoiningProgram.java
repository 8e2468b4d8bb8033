// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A Java program that binds libibverbs, as one with JNI would: the library joins its JVM. It has a class of Verbatim's name on its own
 * class path, and uses that. Usage: the library, and the name of the class.
 */
final class JoiningProgram {

    private JoiningProgram() {}

    private static MethodHandle function(SymbolLookup library, String name) {
        FunctionDescriptor type =
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(library.find(name).orElseThrow(), type);
    }

    /** Opens a device, and makes a domain. */
    public static void main(String... arguments) throws Throwable {
        SymbolLookup library = SymbolLookup.libraryLookup(Path.of(arguments[0]), Arena.global());
        long list = (long) function(library, "ibv_get_device_list").invokeExact(0L, 0L);
        if (list == 0) {
            throw new IllegalStateException("no devices");
        }
        long device = MemorySegment.ofAddress(list).reinterpret(8).get(ValueLayout.JAVA_LONG, 0);
        long name = (long) function(library, "ibv_get_device_name").invokeExact(device, 0L);
        System.out.println(MemorySegment.ofAddress(name).reinterpret(64).getString(0));
        long context = (long) function(library, "ibv_open_device").invokeExact(device, 0L);
        long domain = (long) function(library, "ibv_alloc_pd").invokeExact(context, 0L);
        System.out.println("domain " + (domain != 0));
        System.out.println("own class "
                + Class.forName(arguments[1]).getDeclaredField("OWN").get(null));
    }
}
