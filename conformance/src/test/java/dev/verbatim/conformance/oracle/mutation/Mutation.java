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
import java.util.function.Supplier;

/**
 * A mistake that an engine could make.
 *
 * @param forbidden what it does that no rule permits
 * @param expected the check that finds it
 * @param program a static method of a class of programs, written {@code Class.method}, that takes a seed, a tap, and what to call
 *     at the end
 * @param method the method that makes it
 * @param mistake made anew for each run, since some keep something from one call to the next
 */
record Mutation(String forbidden, Check expected, String program, MutatedMethod method, Supplier<Mistake> mistake) {

    /** A mutation of which the method is not known yet. */
    record Forbidden(String forbidden, Check expected, String program) {

        /** The method is written as {@link MutatedMethod#of} reads it; the mistake keeps nothing between calls. */
        Mutation in(String method, Mistake mistake) {
            return in(method, () -> mistake);
        }

        /** The same with a mistake that keeps something. */
        Mutation in(String method, Supplier<Mistake> mistake) {
            return new Mutation(forbidden, expected, program, MutatedMethod.of(method), mistake);
        }
    }

    private static final String PROGRAMS = "dev.verbatim.conformance.oracle.";

    static Forbidden forbidden(String forbidden, Check expected, String program) {
        return new Forbidden(forbidden, expected, program);
    }

    /** Runs the program on an engine that can make the mistake, and does; returns what the oracle says. */
    Verdict judge(ClassLoader engine, long seed) throws ReflectiveOperationException {
        return judge(engine, mistake.get(), seed);
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
        Method run = engine.loadClass(PROGRAMS + names[0])
                .getDeclaredMethod(names[1], long.class, Tap.class, Runnable.class);
        run.setAccessible(true);
        Mistakes.make(method, made);
        try {
            run.invoke(null, seed, (Tap) oracle, end);
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
