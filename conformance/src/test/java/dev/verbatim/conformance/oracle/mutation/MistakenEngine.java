// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A copy of the engine that can make some mistakes, and calls of what runs programs on it. */
public final class MistakenEngine {

    private final ClassLoader classes;

    /** An engine that can make these mistakes, one at a time. */
    MistakenEngine(Stream<Mutation> mistakes) {
        classes = new MutantLoader(mistakes.map(Mutation::method));
    }

    /** Calls a static method, which returns a list, upon an engine that does not wait at fences. */
    public static List<?> callWithoutFences(String className, String methodName, Object... arguments)
            throws ReflectiveOperationException {
        Mutation fence = Mutations.TABLE.stream()
                .filter(mutation -> mutation.forbidden().equals("a fenced request does not wait"))
                .findFirst()
                .orElseThrow();
        return new MistakenEngine(Stream.of(fence)).call(fence, className, methodName, arguments);
    }

    /** Calls a static method, which returns a list, while the engine makes the mistake. */
    List<?> call(Mutation mistake, String className, String methodName, Object... arguments)
            throws ReflectiveOperationException {
        Map<Class<?>, Class<?>> primitives = Map.of(Integer.class, int.class);
        Class<?>[] types = Stream.of(arguments)
                .map(argument -> primitives.getOrDefault(argument.getClass(), argument.getClass()))
                .toArray(Class<?>[]::new);
        Method method = classes.loadClass(className).getMethod(methodName, types);
        Mistakes.make(mistake.method(), mistake.mistake().get());
        try {
            return (List<?>) method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError("it threw, where it should say what is wrong", e.getCause());
        } finally {
            Mistakes.makeNone();
        }
    }
}
