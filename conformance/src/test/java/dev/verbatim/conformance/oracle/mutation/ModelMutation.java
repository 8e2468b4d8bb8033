// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import dev.verbatim.conformance.windows.Mismatch;
import dev.verbatim.conformance.windows.Program;
import dev.verbatim.conformance.windows.Tally;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mistake that a device could make with memory windows.
 *
 * @param what it does that no rule permits
 * @param method the method that makes it
 * @param conduct of the device that shows it
 */
record ModelMutation(String what, MutatedMethod method, Mistake mistake, String conduct) {

    private static final String TRIAL = "dev.verbatim.conformance.windows.trial.Trial";

    /** The method is written as {@link MutatedMethod#of} reads it. */
    static ModelMutation of(String what, String method, Mistake mistake) {
        return new ModelMutation(what, MutatedMethod.of(method), mistake, "STRICT_2B");
    }

    /** The same, of devices that differ. */
    ModelMutation on(String otherConduct) {
        return new ModelMutation(what, method, mistake, otherConduct);
    }

    /** Plays programs on an engine that can make the mistake, and does, until one shows it; null if none does. */
    @Nullable
    Mismatch find(ClassLoader engine, List<Program> programs, Tally tally) throws ReflectiveOperationException {
        Method run = load(engine);
        Mistakes.make(method, mistake);
        try {
            for (Program program : programs) {
                play(run, program, tally);
            }
            return null;
        } catch (Mismatch mismatch) {
            return mismatch;
        } finally {
            Mistakes.makeNone();
        }
    }

    private static Method load(ClassLoader engine) throws ReflectiveOperationException {
        return engine.loadClass(TRIAL).getMethod("run", String.class, Program.class, Tally.class);
    }

    private void play(Method run, Program program, Tally tally) {
        try {
            run.invoke(null, conduct, program, tally);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Mismatch mismatch) {
                throw mismatch;
            }
            throw new AssertionError(thrown.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
