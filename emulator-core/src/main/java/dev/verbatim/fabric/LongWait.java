// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.VerbsException;
import java.lang.StackWalker.StackFrame;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Logs for what a thread waits that has waited for {@value #AFTER_SECONDS} s: that is no mistake, unless nobody expects it. */
final class LongWait {

    static final int AFTER_SECONDS = 2;

    private static final System.Logger LOGGER = System.getLogger(LongWait.class.getName());
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private LongWait() {}

    /** What is gone meanwhile is waited for no longer. */
    static void log(Supplier<String> what) {
        try {
            String text = what.get();
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "thread " + Thread.currentThread().getName() + " has waited for " + AFTER_SECONDS + " s"
                            + WALKER.walk(LongWait::place) + ": " + text);
        } catch (VerbsException closed) {
            // Whoever waits is told so.
        }
    }

    /** The call of the program's. */
    private static String place(Stream<StackFrame> frames) {
        StackFrame last = null;
        for (StackFrame frame : (Iterable<StackFrame>) frames::iterator) {
            Class<?> type = frame.getDeclaringClass();
            if (!isOurs(type)) {
                return last == null
                        ? ""
                        : " in " + last.getMethodName() + " at " + frame.getFileName() + ":" + frame.getLineNumber();
            }
            last = frame;
        }
        return "";
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("dev.verbatim.transport.")
                || Objects.equals(
                        type.getProtectionDomain().getCodeSource(),
                        LongWait.class.getProtectionDomain().getCodeSource());
    }
}
