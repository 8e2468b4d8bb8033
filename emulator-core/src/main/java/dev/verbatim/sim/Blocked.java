// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.List;

/** Where a program waits that is not to blame for the end of the run; it has that program's stack. */
final class Blocked extends RuntimeException {

    private static final long serialVersionUID = 1;

    private Blocked(Program program) {
        super("program " + program.name() + (program.hasStarted() ? " waits here" : " had not begun"));
        setStackTrace(program.place());
    }

    /** Whether nothing is left to happen that the program could wait for, whatever its patience. */
    private static boolean isInVain(VerbsException end) {
        return end.errno() == Errno.EDEADLK
                || (end.errno() == Errno.ETIMEDOUT && end.refusal().brokenRule() == Rule.N_08);
    }

    /** What ended a program; where that was a wait that can never end, all who wait are part of it. */
    static RuntimeException withOthers(Program failed, List<Program> programs) {
        Throwable failure = failed.failure();
        if (failure instanceof VerbsException e && isInVain(e)) {
            for (Program other : programs) {
                if (!other.isDone()) {
                    failure.addSuppressed(new Blocked(other));
                }
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
    }
}
