// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.place.UserCode;
import dev.verbatim.verbs.VerbsException;
import java.util.function.Supplier;

/** Logs for what a thread waits that has waited for {@value #AFTER_SECONDS} s: that is no mistake, unless nobody expects it. */
final class LongWait {

    static final int AFTER_SECONDS = 2;

    private static final System.Logger LOGGER = System.getLogger(LongWait.class.getName());

    private LongWait() {}

    /** What is gone meanwhile is waited for no longer. */
    static void log(Supplier<String> what) {
        try {
            String text = what.get();
            String call = UserCode.call();
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "thread " + Thread.currentThread().getName() + " has waited for " + AFTER_SECONDS + " s"
                            + (call.isEmpty() ? "" : " in " + call) + ": " + text);
        } catch (VerbsException closed) {
            // Whoever waits is told so.
        }
    }
}
