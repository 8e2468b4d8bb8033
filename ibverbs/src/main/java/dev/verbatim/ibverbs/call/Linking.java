// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.lab.Lab;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.MemoryFault;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the method that answers a symbol and makes a function pointer of it: a static method of that name, with parameters and a result
 * of int or long, or void. Nothing that it throws leaves it: an exception that ended a call of C would end the JVM.
 */
final class Linking {

    private static final MethodHandle FAILED_LONG;
    private static final MethodHandle FAILED_INT;
    private static final MethodHandle FAILED_VOID;
    private static final MethodHandle RAISE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FAILED_LONG = lookup.findStatic(
                    Linking.class, "failedLong", MethodType.methodType(long.class, Symbol.class, Throwable.class));
            FAILED_INT = lookup.findStatic(
                    Linking.class, "failedInt", MethodType.methodType(int.class, Symbol.class, Throwable.class));
            FAILED_VOID = lookup.findStatic(
                    Linking.class, "failedVoid", MethodType.methodType(void.class, Symbol.class, Throwable.class));
            RAISE = lookup.findStatic(MemoryFault.class, "raise", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Linking() {}

    static long link(Symbol symbol) throws ReflectiveOperationException {
        Method method = methodOf(symbol);
        method.setAccessible(true);
        MethodHandle target = MethodHandles.lookup().unreflect(method);
        if (Lab.ON && Lab.concerns(symbol.name())) {
            target = refusable(symbol.name(), target);
        }
        if (Misuse.ON && symbol.where().startsWith("rsocket.")) {
            target = ofLibrary(target);
        }
        MethodHandle failed = failedOf(method.getReturnType()).bindTo(symbol);
        MethodHandle guarded = MethodHandles.catchException(withItsFaults(target), Throwable.class, failed);
        return Native.pointerTo(guarded, descriptorOf(method));
    }

    /** A call that throws the fault of its last access too, and not behind the guard. */
    private static MethodHandle withItsFaults(MethodHandle target) {
        Class<?> result = target.type().returnType();
        MethodHandle raise =
                result == void.class ? RAISE : MethodHandles.foldArguments(MethodHandles.identity(result), RAISE);
        return MethodHandles.tryFinally(target, MethodHandles.dropArguments(raise, 0, Throwable.class));
    }

    /** A call that the library answers by verbs of its own, which are not the program's. */
    private static MethodHandle ofLibrary(MethodHandle target) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle enter = lookup.findStatic(Misuse.class, "enterOwn", MethodType.methodType(void.class));
        MethodHandle leave = lookup.findStatic(Misuse.class, "leaveOwn", MethodType.methodType(void.class));
        Class<?> result = target.type().returnType();
        MethodHandle left =
                result == void.class ? leave : MethodHandles.foldArguments(MethodHandles.identity(result), leave);
        return MethodHandles.tryFinally(
                MethodHandles.foldArguments(target, enter), MethodHandles.dropArguments(left, 0, Throwable.class));
    }

    /** A call that fails where a fault wants it. */
    private static MethodHandle refusable(String name, MethodHandle target) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        if (name.startsWith("op_post_")) {
            MethodHandle enter = lookup.findStatic(
                    Linking.class,
                    "enterPost",
                    MethodType.methodType(void.class, String.class, long.class, long.class, long.class));
            return MethodHandles.foldArguments(target, enter.bindTo(name));
        }
        MethodHandle enter = lookup.findStatic(Lab.class, "enter", MethodType.methodType(void.class, String.class));
        return MethodHandles.foldArguments(target, enter.bindTo(name));
    }

    /** Of a chain of requests none is posted, and {@code bad} points to the first. */
    static void enterPost(String name, long queue, long requests, long bad) {
        try {
            Lab.enter(name);
        } catch (Refused wanted) {
            Native.putLong(bad, requests);
            throw wanted;
        }
    }

    /** The method that answers a symbol. */
    static Method methodOf(Symbol symbol) throws ReflectiveOperationException {
        Class<?> holder = Class.forName("dev.verbatim.ibverbs." + symbol.where());
        for (Method method : holder.getDeclaredMethods()) {
            if (method.getName().equals(symbol.name()) && Modifier.isStatic(method.getModifiers())) {
                return method;
            }
        }
        throw new NoSuchMethodException(holder.getName() + "." + symbol.name());
    }

    private static FunctionDescriptor descriptorOf(Method method) {
        List<MemoryLayout> parameters = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            parameters.add(layoutOf(type));
        }
        MemoryLayout[] array = parameters.toArray(MemoryLayout[]::new);
        Class<?> result = method.getReturnType();
        return result == void.class ? FunctionDescriptor.ofVoid(array) : FunctionDescriptor.of(layoutOf(result), array);
    }

    private static ValueLayout layoutOf(Class<?> type) {
        if (type == int.class) {
            return ValueLayout.JAVA_INT;
        }
        if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        }
        throw new IllegalArgumentException(type + " is no type of a call of C");
    }

    private static MethodHandle failedOf(Class<?> result) {
        return result == void.class ? FAILED_VOID : result == int.class ? FAILED_INT : FAILED_LONG;
    }

    static long failedLong(Symbol symbol, Throwable thrown) {
        int errno = errnoOf(symbol, thrown);
        if (symbol.fails().setsErrno()) {
            Native.errno(errno);
        }
        return symbol.fails().with(errno);
    }

    static int failedInt(Symbol symbol, Throwable thrown) {
        return (int) failedLong(symbol, thrown);
    }

    static void failedVoid(Symbol symbol, Throwable thrown) {
        int unused = errnoOf(symbol, thrown);
    }

    private static int errnoOf(Symbol symbol, Throwable thrown) {
        if (thrown instanceof VerbsException refused) {
            Messages.refused(symbol.name(), refused);
            return refused.errno().number();
        }
        if (thrown instanceof Refused refused) {
            Messages.refused(symbol.name(), refused);
            return refused.errno();
        }
        if (thrown instanceof OutOfMemoryError) {
            return dev.verbatim.verbs.Errno.ENOMEM.number();
        }
        if (thrown instanceof InternalError) {
            Refused fault = new Refused(Refused.EFAULT, "memory that a pointer of the program's leads to is not there");
            Messages.refused(symbol.name(), fault);
            return fault.errno();
        }
        Messages.unexpected(symbol.name(), thrown);
        return dev.verbatim.verbs.Errno.EIO.number();
    }
}
