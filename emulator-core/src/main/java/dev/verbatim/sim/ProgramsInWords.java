// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Says where programs are. */
final class ProgramsInWords {

    private static final List<String> NOT_OF_PROGRAMS = List.of("java.", "javax.", "jdk.", "sun.");

    private ProgramsInWords() {}

    /** Such as {@code program a took 12 steps and is at Loop.java:17}. */
    static String of(Actor actor, long steps) {
        String who = "program " + actor.name();
        if (steps == 0) {
            return who + " never ran";
        }
        String took = String.format(Locale.ROOT, "%s took %,d step%s", who, steps, steps == 1 ? "" : "s");
        String line = actor instanceof Program program ? line(program.place()) : actor.source();
        return took + (actor.isDone() ? " and has ended" : line.isEmpty() ? "" : " and is at " + line);
    }

    /** The innermost line that is not of the JDK or of this library; empty if there is none. */
    static String line(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (NOT_OF_PROGRAMS.stream().noneMatch(frame.getClassName()::startsWith) && !isOurs(frame)) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "";
    }

    /** Tests and programs may have packages of the same names; what lies beside this class is ours. */
    private static boolean isOurs(StackTraceElement frame) {
        try {
            Class<?> type = Class.forName(frame.getClassName(), false, ProgramsInWords.class.getClassLoader());
            return Objects.equals(
                    type.getProtectionDomain().getCodeSource(),
                    ProgramsInWords.class.getProtectionDomain().getCodeSource());
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
