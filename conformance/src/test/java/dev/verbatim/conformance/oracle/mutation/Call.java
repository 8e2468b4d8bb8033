// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * A call of a method that makes a mistake.
 *
 * @param self of what; null if the method is static
 * @param arguments may be changed
 */
record Call(Object self, Method method, Object[] arguments) {

    private static final Object GO_ON = new Object();

    /** The method itself is to run, with the arguments as they are now. */
    static Object goOn() {
        return GO_ON;
    }

    /** The method is not to run, and returns this. */
    static Object answer(Object value) {
        return new Object[] {value};
    }

    static boolean isGoOn(Object answer) {
        return answer == GO_ON;
    }

    /** Runs the method as it should be, and returns what it returns. */
    Object original(Object... changed) throws ReflectiveOperationException {
        return original(self, changed);
    }

    /** The same, of another object. */
    Object original(Object of, Object... changed) throws ReflectiveOperationException {
        method.setAccessible(true);
        Mistakes.pause();
        try {
            return unwrapped(method, of, changed);
        } finally {
            Mistakes.resume();
        }
    }

    /** The value of a field of that object. */
    static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    /** Calls another method of that object: the first of that name with so many parameters. */
    static Object call(Object of, String name, Object... arguments) throws ReflectiveOperationException {
        for (Method candidate : of.getClass().getDeclaredMethods()) {
            if (candidate.getName().equals(name) && candidate.getParameterCount() == arguments.length) {
                candidate.setAccessible(true);
                return unwrapped(candidate, of, arguments);
            }
        }
        throw new NoSuchMethodException(of.getClass() + "." + name + " with " + arguments.length + " parameters");
    }

    private static Object unwrapped(Method method, Object of, Object... arguments) throws ReflectiveOperationException {
        try {
            return method.invoke(of, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw e;
        }
    }
}
