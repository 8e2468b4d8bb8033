// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import org.jspecify.annotations.Nullable;

/**
 * That a queue pair executes requests of its peer of one kind. It ends when a program destroys the queue pair, takes it to RESET or ERR, or
 * takes the right away: none is executed from then on.
 */
final class Grant {

    private ProgramClock.@Nullable Moment end;

    /** A program ends it; returns the one that counts from now on. */
    Grant endedBy(ProgramClock program) {
        end = program.newMoment();
        return new Grant();
    }

    /** Whether who knows that much knows that it has ended, and with it all accesses by it. */
    boolean isKnownToHaveEnded(VectorClock known) {
        return end != null && end.isKnownTo(known);
    }
}
