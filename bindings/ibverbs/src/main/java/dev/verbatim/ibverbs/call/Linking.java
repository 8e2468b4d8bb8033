// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbatim.ibverbs.abi.Native;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Leads each symbol to the package that answers it, before the program's first call: so no call needs heap to find its function, and none
 * finds a class that failed to begin.
 */
final class Linking {

    private static final String ALL = "dev.verbatim.ibverbs.";

    private Linking() {}

    /** The pointer to {@link Guard#call}. */
    static long link() throws ReflectiveOperationException {
        Symbol[] symbols = Library.get().symbols();
        Map<String, Answers> known = new HashMap<>();
        int hash = hashOf(symbols);
        for (int index = 0; index < symbols.length; index++) {
            String where = symbols[index].where();
            Answers answers = known.get(where);
            if (answers == null) {
                answers = answersOf(symbols[index], hash);
                known.put(where, answers);
                Class<?> unused = Class.forName(ALL + where);
            }
            Guard.answerBy(index, answers);
        }
        Class<?> unused = Class.forName(Messages.class.getName());
        Guard.rehearse();
        MethodType type = MethodType.methodType(
                long.class, long.class, long.class, long.class, long.class, long.class, long.class, int.class);
        FunctionDescriptor descriptor = FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
        return Native.pointerTo(MethodHandles.lookup().findStatic(Guard.class, "call", type), descriptor);
    }

    private static Answers answersOf(Symbol symbol, int hash) throws ReflectiveOperationException {
        Class<?> ofPackage = Class.forName(ALL + symbol.packageName() + "." + classOf(symbol.packageName()));
        if (ofPackage.getDeclaredField("SYMBOLS").getInt(null) != hash) {
            throw new IllegalStateException(
                    ofPackage.getName() + " is of another symbols.txt: run SymbolsTest with -Dverbatim.update=true");
        }
        return Class.forName(ofPackage.getName() + "$Of" + symbol.className())
                .asSubclass(Answers.class)
                .getDeclaredConstructor()
                .newInstance();
    }

    /** The name of the class that answers the functions of a package. */
    static String classOf(String packageName) {
        return Character.toUpperCase(packageName.charAt(0)) + packageName.substring(1) + "Answers";
    }

    /** The same for the same functions in the same order. */
    static int hashOf(Symbol[] symbols) {
        return Arrays.stream(symbols)
                .map(symbol -> symbol.where() + "." + symbol.name())
                .toList()
                .hashCode();
    }
}
