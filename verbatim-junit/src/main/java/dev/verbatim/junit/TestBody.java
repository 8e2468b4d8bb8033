// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.Verbatim;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Simulation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.ReflectionSupport;

/** A test method that can be called as often as needed, each time with another simulation. */
record TestBody(Method method, Object instance, List<@Nullable Object> arguments) {

    private static final List<String> NOT_OF_THE_TEST =
            List.of("java.", "javax.", "jdk.", "sun.", "org.junit.", "dev.verbatim.");

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
     * Where in the class of the test something was thrown, as {@code Class.java:17}; where it was nowhere there, the innermost place that
     * is neither ours nor of the JDK.
     */
    String place(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String top = frame.getClassName();
            int nested = top.indexOf('$');
            if ((nested < 0 ? top : top.substring(0, nested)).equals(topClass())) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (NOT_OF_THE_TEST.stream().noneMatch(frame.getClassName()::startsWith)) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "an unknown place";
    }

    private String topClass() {
        String name = method.getDeclaringClass().getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
