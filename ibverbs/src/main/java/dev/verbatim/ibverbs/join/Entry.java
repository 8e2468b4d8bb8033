// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.join;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands for {@link dev.verbatim.ibverbs.call.Entry} in a JVM of the program's, whose class path stays as it is: a class loader with the
 * elements of VERBATIM_CLASS_PATH, which knows of the JVM's classes only those of the JDK, has all others.
 */
public final class Entry {

    private static final MethodHandle CALL;

    static {
        try {
            List<URL> urls = new ArrayList<>();
            for (String element : System.getenv("VERBATIM_CLASS_PATH").split(File.pathSeparator, -1)) {
                urls.add(new File(element).toURI().toURL());
            }
            ClassLoader own = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            CALL = MethodHandles.publicLookup()
                    .findStatic(
                            own.loadClass("dev.verbatim.ibverbs.call.Entry"),
                            "call",
                            MethodType.methodType(long.class, int.class, long.class));
        } catch (ReflectiveOperationException | MalformedURLException e) {
            throw new IllegalStateException("VERBATIM_CLASS_PATH=" + System.getenv("VERBATIM_CLASS_PATH"), e);
        }
    }

    private Entry() {}

    /** As {@link dev.verbatim.ibverbs.call.Entry#call}. */
    public static long call(int what, long table) throws Throwable {
        return (long) CALL.invokeExact(what, table);
    }
}
