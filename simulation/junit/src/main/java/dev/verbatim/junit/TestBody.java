// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.Verbatim;
import dev.verbatim.place.UserCode;
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

    /** Where in the program something was thrown, as {@code Class.java:17}; where no frame of it is left, the method. */
    String place(Throwable thrown) {
        String line = UserCode.line(thrown.getStackTrace());
        return line.isEmpty() ? method.getDeclaringClass().getSimpleName() + "." + method.getName() : line;
    }
}
