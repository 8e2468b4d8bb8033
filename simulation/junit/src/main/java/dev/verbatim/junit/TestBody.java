// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.Verbatim;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Simulation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.ReflectionSupport;

/** A test method that can be called as often as needed, each time with another simulation. */
record TestBody(Method method, Object instance, List<@Nullable Object> arguments) {

    /** The JDK, and what asserts. */
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "org.junit.",
            "org.opentest4j.",
            "org.assertj.",
            "org.hamcrest.",
            "org.mockito.",
            "com.google.common.truth.",
            "kotlin.",
            "groovy.",
            "org.codehaus.groovy.",
            "scala.");

    private static final String OURS = "dev.verbatim.";

    /** What calls these is of the runner: they call the method, what it has added, and the programs. */
    private static final Set<String> CALLED_BY_THE_RUNNER =
            Set.of(OURS + "junit.TestBody.call", OURS + "junit.SimulatedRuns.failure", OURS + "sim.Program.run");

    /** Whether it is for the extension to say what a parameter of that type is. */
    static boolean isOurs(Class<?> type) {
        return type == Simulation.class || type == Verbatim.class || type == Sanitizer.class;
    }

    /** Calls the method; what it throws comes out as it is. */
    void call(Function<Class<?>, Object> ours) {
        List<@Nullable Object> passed = new ArrayList<>(arguments);
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (isOurs(parameters[i].getType())) {
                passed.set(i, ours.apply(parameters[i].getType()));
            }
        }
        ReflectionSupport.invokeMethod(method, instance, passed.toArray());
    }

    /**
     * Where in the program of the user something was thrown, as {@code Class.java:17}: the innermost frame that is neither ours nor of the
     * JDK or a library of assertions. What runs the test is no part of it: where nothing of the program is left, it is the method.
     */
    String place(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (CALLED_BY_THE_RUNNER.contains(frame.getClassName() + "." + frame.getMethodName())) {
                break;
            }
            if (isOfUser(frame.getClassName())) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private boolean isOfUser(String type) {
        return LIBRARIES.stream().noneMatch(type::startsWith) && (!type.startsWith(OURS) || isBesideTheTest(type));
    }

    /** Whether it lies where the test does, as classes of ours do in our own tests only. */
    private boolean isBesideTheTest(String type) {
        Class<?> test = method.getDeclaringClass();
        try {
            CodeSource theirs = Class.forName(type, false, test.getClassLoader())
                    .getProtectionDomain()
                    .getCodeSource();
            CodeSource own = test.getProtectionDomain().getCodeSource();
            return theirs != null && own != null && Objects.equals(theirs.getLocation(), own.getLocation());
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
