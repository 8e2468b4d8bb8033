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

    /** What is asked for, if not the function of a symbol. */
    private static final int BEGIN = -1, END = -2, LOOK = -3, SIGNAL = -4;

    private Entry() {}

    /**
     * The one way from C to Java before functions are linked.
     *
     * @param what the index of a symbol, whose function pointer is wanted; or {@link #BEGIN}, once, before everything else; or
     *     {@link #END}, when the program ends by exit(3) or returns from main; or {@link #LOOK}, twice a second; or {@link #SIGNAL},
     *     when a signal is about to end it
     * @param table of {@link #BEGIN}: number of symbols, the symbols, and what {@link Library} uses; of {@link #END}: the exit status;
     *     of the last two: where threads are listed that wait
     * @return the function pointer, 0 if there is none; of {@link #BEGIN} 1, 0 if it failed; of {@link #END} another exit status, 0 to
     *     leave it as it is; of {@link #LOOK} 1 if calls are to say where they are
     */
    public static long call(int what, long table) {
        try {
            return switch (what) {
                case BEGIN -> begin(table);
                case END -> end((int) table);
                case LOOK -> look(table, false);
                case SIGNAL -> look(table, true);
                default -> Linking.link(Library.get().symbol(what));
            };
        } catch (Throwable e) {
            boolean isOfCall = what >= 0 || what == BEGIN;
            if (isOfCall || !(e instanceof OutOfMemoryError)) { // without memory nobody is told
                Messages.unexpected(
                        what < 0
                                ? "begin, look or end"
                                : "linking " + Library.get().symbol(what),
                        e);
            }
        }
        return 0;
    }

    private static long begin(long table) {
        // It asks for the working directory, which threads of the program may not have any more.
        FileSystem unused = FileSystems.getDefault();
        Library.describedAt(table);
        return 1;
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
        Causes.end();
        Misuse.ends(status);
        Adapters.closeAll();
        Causes.summarize();
        Misuse.end();
        return Misuse.exitStatus();
    }
}
