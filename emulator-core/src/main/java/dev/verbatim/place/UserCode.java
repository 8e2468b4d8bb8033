// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.place;

import java.lang.StackWalker.StackFrame;
import java.net.URL;
import java.security.CodeSource;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose code a class is. A place that a message names is the innermost frame of a stack that is of the user's program; what calls the
 * runner of tests is none, and where there is no such frame there is no place.
 */
public enum UserCode {
    /** Of the program. */
    PROGRAM,
    /** Of this device, the JDK, the runtime of a language or a library of assertions: a program calls it and may be called by it. */
    LIBRARY,
    /** Of what runs tests: who calls it is no program. */
    RUNNER;

    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "kotlin.",
            "kotlinx.",
            "groovy.",
            "org.codehaus.groovy.",
            "org.apache.groovy.",
            "scala.",
            "clojure.",
            "org.junit.",
            "junit.framework.",
            "org.opentest4j.",
            "org.assertj.",
            "org.hamcrest.",
            "org.mockito.",
            "org.awaitility.",
            "com.google.common.truth.");

    private static final List<String> RUNNERS = List.of(
            "org.junit.platform.engine.",
            "org.junit.platform.launcher.",
            "org.junit.platform.console.",
            "org.junit.jupiter.engine.",
            "org.junit.vintage.engine.",
            "org.junit.runner.",
            "org.junit.runners.",
            "org.junit.internal.runners.",
            "net.jqwik.engine.",
            "org.testng.",
            "org.apache.maven.",
            "org.gradle.",
            "worker.org.gradle.",
            "com.intellij.junit",
            "com.intellij.rt.",
            "org.eclipse.jdt.internal.junit");

    private static final String OURS = "dev.verbatim.";

    /** They run tests and scenarios. */
    private static final List<String> OUR_RUNNERS = List.of("dev.verbatim.junit.", "dev.verbatim.cli.");

    /** One class of each of our modules that programs call. */
    private static final List<String> MODULES = List.of(
            "place.UserCode",
            "transport.netty.NettyFabric",
            "networkdirect.NdProvider",
            "conformance.scenario.Scenario",
            "ibverbs.launch.Exec",
            "junit.SimulatedTest",
            "cli.Main");

    /** It shows frames of reflection, which are then passed over here: it looks for them by several slow questions for each frame. */
    private static final StackWalker WALKER = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_REFLECT_FRAMES));

    private static final ClassValue<UserCode> KNOWN = new ClassValue<>() {
        @Override
        protected UserCode computeValue(Class<?> type) {
            return decide(type);
        }
    };

    /** Whose code the class is. */
    public static UserCode of(Class<?> type) {
        return KNOWN.get(type);
    }

    /** What this thread calls: the call of the program's and its line, as {@code awaitCompletion at Reader.java:17}; empty for none. */
    public static String call() {
        return WALKER.walk(frames -> {
            String called = "";
            for (Iterator<StackFrame> each = frames.iterator(); each.hasNext(); ) {
                StackFrame frame = each.next();
                Class<?> type = frame.getDeclaringClass();
                UserCode owner = of(type);
                if (owner != LIBRARY) {
                    return owner == RUNNER || called.isEmpty()
                            ? ""
                            : called + " at " + line(frame.toStackTraceElement());
                }
                called = isOurs(type) ? frame.getMethodName() : called;
            }
            return "";
        });
    }

    /** Where the program of a stack is, as {@code Reader.java:17}; empty if no frame of it is the program's. */
    public static String line(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            UserCode owner = of(frame);
            if (owner != LIBRARY) {
                return owner == RUNNER ? "" : line(frame);
            }
        }
        return "";
    }

    private static String line(StackTraceElement frame) {
        return frame.getFileName() + ":" + frame.getLineNumber();
    }

    /** Of a frame only the name of its class is known: it is looked for where the program may have it from. */
    private static UserCode of(StackTraceElement frame) {
        String name = frame.getClassName();
        if (!name.startsWith(OURS)) {
            return decide(name);
        }
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        Class<?> type = find(name, context == null ? UserCode.class.getClassLoader() : context);
        return type == null ? PROGRAM : of(type);
    }

    private static UserCode decide(Class<?> type) {
        if (isOurs(type)) {
            return OUR_RUNNERS.stream().anyMatch(type.getName()::startsWith) ? RUNNER : LIBRARY;
        }
        return decide(type.getName());
    }

    private static UserCode decide(String name) {
        if (RUNNERS.stream().anyMatch(name::startsWith)) {
            return RUNNER;
        }
        return LIBRARIES.stream().anyMatch(name::startsWith) ? LIBRARY : PROGRAM;
    }

    /** Tests and programs may have packages of the same names. */
    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith(OURS) && MODULES.stream().anyMatch(module -> isBeside(type, module));
    }

    /** Whether it lies where that class of ours does. */
    private static boolean isBeside(Class<?> type, String other) {
        Class<?> found = find(OURS + other, type.getClassLoader());
        return found != null && Objects.equals(sourceOf(type), sourceOf(found));
    }

    private static @Nullable Class<?> find(String name, @Nullable ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    private static @Nullable Object sourceOf(Class<?> type) {
        // A loader of a program's own may say of neither where it has its classes from.
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location == null ? null : location.toString();
    }
}
