// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.place.UserCode;
import java.util.Locale;

/** Says where programs are. */
final class ProgramsInWords {

    private ProgramsInWords() {}

    /** Such as {@code program a took 12 steps and is at Loop.java:17}. */
    static String of(Actor actor, long steps) {
        String who = "program " + actor.name();
        if (steps == 0) {
            return who + " never ran";
        }
        String took = String.format(Locale.ROOT, "%s took %,d step%s", who, steps, steps == 1 ? "" : "s");
        String line = actor instanceof Program program ? UserCode.line(program.place()) : actor.source();
        return took + (actor.isDone() ? " and has ended" : line.isEmpty() ? "" : " and is at " + line);
    }
}
