// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import dev.verbatim.conformance.oracle.Oracle;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.trace.Tap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A mistake that an engine could make.
 *
 * @param forbidden what it does that no rule permits
 * @param className the class of the engine that makes it
 * @param methodName of the method that makes it
 * @param parameters how many that method has
 * @param program a static method of a class of programs, written {@code Class.method}, that takes a seed, a tap, and what to call
 *     at the end
 * @param expected the check that finds it
 */
record Mutation(
        String forbidden,
        String className,
        String methodName,
        int parameters,
        Mistake mistake,
        String program,
        Check expected) {

    private static final String PROGRAMS = "dev.verbatim.conformance.oracle.";

    /** An engine that can make the mistake, for as many runs as one likes. */
    ClassLoader copyOfEngine() {
        return new MutantLoader("dev.verbatim.device." + className, methodName, parameters);
    }

    /** Runs the program on such an engine, which makes the mistake; returns what the oracle says. */
    Verdict judge(ClassLoader engine, long seed) throws ReflectiveOperationException {
        return judge(engine, mistake, seed);
    }

    /** Runs the program on such an engine, which does not make the mistake. */
    Verdict judgeWithout(ClassLoader engine, long seed) throws ReflectiveOperationException {
        return judge(engine, call -> Call.goOn(), seed);
    }

    private Verdict judge(ClassLoader engine, Mistake made, long seed) throws ReflectiveOperationException {
        Oracle oracle = Oracle.ofDevicesAndPrograms();
        AtomicReference<Verdict> atEnd = new AtomicReference<>();
        Runnable end = () -> atEnd.set(oracle.verdictAtEnd());
        String[] names = program.split("\\.", 2);
        Method method = engine.loadClass(PROGRAMS + names[0])
                .getDeclaredMethod(names[1], long.class, Tap.class, Runnable.class);
        method.setAccessible(true);
        Mistakes.make(made);
        try {
            method.invoke(null, seed, (Tap) oracle, end);
        } catch (InvocationTargetException stumbled) {
            // An engine that makes mistakes may also stumble over them; what it did before is judged all the same.
            return oracle.verdict();
        } finally {
            Mistakes.makeNone();
        }
        return atEnd.get();
    }

    @Override
    public String toString() {
        return expected.rule() + " " + forbidden;
    }
}
