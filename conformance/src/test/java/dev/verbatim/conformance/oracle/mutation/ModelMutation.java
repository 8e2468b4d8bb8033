// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import dev.verbatim.conformance.windows.Mismatch;
import dev.verbatim.conformance.windows.Program;
import dev.verbatim.conformance.windows.Shrinking;
import dev.verbatim.conformance.windows.Tally;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mistake that a device could make with memory windows.
 *
 * @param what it does that no rule permits
 * @param className the class of the device that makes it
 * @param methodName of the method that makes it
 * @param parameters how many that method has
 * @param conduct of the device that shows it
 */
record ModelMutation(
        String what, String className, String methodName, int parameters, Mistake mistake, String conduct) {

    private static final String TRIAL = "dev.verbatim.conformance.windows.trial.Trial";

    static ModelMutation of(String what, String className, String methodName, int parameters, Mistake mistake) {
        return new ModelMutation(what, className, methodName, parameters, mistake, "STRICT_2B");
    }

    /** The same, of devices that differ. */
    ModelMutation on(String otherConduct) {
        return new ModelMutation(what, className, methodName, parameters, mistake, otherConduct);
    }

    /** Plays programs on a device that makes the mistake until one shows it; null if none does. */
    @Nullable
    Mismatch find(List<Program> programs, Tally tally) throws ReflectiveOperationException {
        Method run = load();
        Mistakes.make(mistake);
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

    /** What is left of a program that shows it. */
    Mismatch shrink(Mismatch found) throws ReflectiveOperationException {
        Method run = load();
        Mistakes.make(mistake);
        try {
            return Shrinking.shrink(found, program -> play(run, program, new Tally()));
        } finally {
            Mistakes.makeNone();
        }
    }

    private Method load() throws ReflectiveOperationException {
        ClassLoader loader = new MutantLoader("dev.verbatim.device." + className, methodName, parameters);
        return loader.loadClass(TRIAL).getMethod("run", String.class, Program.class, Tally.class);
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
