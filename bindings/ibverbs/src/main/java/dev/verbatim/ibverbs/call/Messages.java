// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** What the library says on standard error. Standard output is the program's. */
public final class Messages {

    private static final boolean VERBOSE = System.getenv("VERBATIM_VERBOSE") != null;
    private static final int MOST_UNEXPECTED = 20;
    private static final AtomicInteger UNEXPECTED = new AtomicInteger();

    private Messages() {}

    /** One line, with the name of the product before it. */
    public static void say(String format, Object... arguments) {
        System.err.println("verbatim: " + String.format(Locale.ROOT, format, arguments));
    }

    /** A verb was refused, which the program is told by its error number; with VERBATIM_VERBOSE the reason is said. */
    public static void refused(String function, RuntimeException refused) {
        if (refused instanceof VerbsException verbs && verbs.errno() == Errno.ENOMEM) {
            Waits.noRoom(function, verbs.refusal());
        }
        if (Causes.ON) {
            Causes.refused(function, refused);
        } else if (VERBOSE && refused.getMessage() != null) {
            say("%s: %s", function, String.valueOf(refused.getMessage()));
        }
    }

    /** A request failed: with VERBATIM_VERBOSE the cause is said. */
    public static void failed(WorkCompletion completion) {
        if (VERBOSE && !Causes.ON) {
            say("%s", completion.explanation());
        }
    }

    /** A mistake of ours, or memory that is no memory: said, and the program goes on with an error number. */
    public static void unexpected(String what, Throwable thrown) {
        int count = UNEXPECTED.incrementAndGet();
        if (count <= MOST_UNEXPECTED) {
            say("%s failed: %s", what, thrown);
            if (VERBOSE) {
                thrown.printStackTrace();
            }
        }
    }
}
