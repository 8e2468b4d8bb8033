// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.place.Adapters;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;

/** What {@code verbatim.c} calls by JNI. */
public final class Entry {

    /** What is asked for. */
    private static final int BEGIN = -1, END = -2, LOOK = -3, SIGNAL = -4;

    private Entry() {}

    /**
     * The way from C to Java before functions are linked, and when the program ends.
     *
     * @param what {@link #BEGIN}, once, before everything else; or {@link #END}, when the program ends by exit(3) or returns from main; or
     *     {@link #LOOK}, twice a second; or {@link #SIGNAL}, when a signal is about to end it
     * @param with of {@link #BEGIN}: where {@link Library} finds what it uses; of {@link #END}: the exit status; of the last two: where
     *     threads are listed that wait
     * @return of {@link #BEGIN} the pointer to the function that answers all calls, 0 if it failed; of {@link #END} another exit status,
     *     0 to leave it as it is; of {@link #LOOK} 1 if calls are to say where they are
     */
    public static long call(int what, long with) {
        try {
            return switch (what) {
                case BEGIN -> begin(with);
                case END -> end((int) with);
                case LOOK -> look(with, false);
                case SIGNAL -> look(with, true);
                default -> throw new IllegalArgumentException("what=" + what);
            };
        } catch (Throwable e) {
            if (what == BEGIN || !(e instanceof OutOfMemoryError)) { // without memory nobody is told
                Messages.unexpected(what == BEGIN ? "begin" : what == END ? "end" : "look", e);
            }
        }
        return 0;
    }

    private static long begin(long table) throws ReflectiveOperationException {
        // It asks for the working directory, which threads of the program may not have any more.
        FileSystem unused = FileSystems.getDefault();
        Library.describedAt(table);
        return Linking.link();
    }

    private static long look(long table, boolean isLast) {
        Waits.look(table, isLast);
        if (isLast) {
            Causes.end();
            Adapters.closeAll();
        }
        return Waits.arePlacesWanted() ? 1 : 0;
    }

    private static long end(int status) {
        Reserve.give();
        Causes.end();
        Misuse.ends(status);
        Adapters.closeAll();
        Causes.summarize();
        Misuse.end();
        return Misuse.exitStatus();
    }
}
