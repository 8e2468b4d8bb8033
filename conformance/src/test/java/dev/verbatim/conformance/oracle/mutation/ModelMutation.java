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

    /** A device that makes the mistake, to be tried with programs. */
    interface Mutant {

        /** Plays a program; what differs, or null. */
        @Nullable
        Mismatch play(Program program, Tally tally) throws ReflectiveOperationException;
    }

    /** Loads the device; while it is used, the mistake is made. */
    Mutant load() throws ReflectiveOperationException {
        ClassLoader loader = new MutantLoader("dev.verbatim.device." + className, methodName, parameters);
        Method run = loader.loadClass(TRIAL).getMethod("run", String.class, Program.class, Tally.class);
        return (program, tally) -> {
            try {
                run.invoke(null, conduct, program, tally);
                return null;
            } catch (InvocationTargetException thrown) {
                if (thrown.getCause() instanceof Mismatch mismatch) {
                    return mismatch;
                }
                throw thrown;
            }
        };
    }

    /** Plays programs until one shows the mistake; null if none does. */
    @Nullable
    Mismatch firstOf(Mutant mutant, List<Program> programs, Tally tally) throws ReflectiveOperationException {
        Mistakes.make(mistake);
        try {
            for (Program program : programs) {
                Mismatch mismatch = mutant.play(program, tally);
                if (mismatch != null) {
                    return mismatch;
                }
            }
            return null;
        } finally {
            Mistakes.makeNone();
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
