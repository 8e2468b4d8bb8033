// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.place.Adapters;

/** What {@code verbatim.c} calls by JNI. */
public final class Entry {

    /** What is asked for, if not the function of a symbol. */
    private static final int BEGIN = -1, END = -2;

    private Entry() {}

    /**
     * The one way from C to Java before functions are linked.
     *
     * @param what the index of a symbol, whose function pointer is wanted; or {@link #BEGIN}, once, before everything else; or
     *     {@link #END}, when the program ends by exit(3) or returns from main
     * @param table of {@link #BEGIN}: number of symbols, the symbols, and what {@link Library} uses; of {@link #END}: the exit status
     * @return the function pointer, 0 if there is none; of {@link #END} another exit status, 0 to leave it as it is
     */
    public static long call(int what, long table) {
        try {
            switch (what) {
                case BEGIN -> Library.describedAt(table);
                case END -> {
                    Causes.end();
                    Misuse.ends((int) table);
                    Adapters.closeAll();
                    return Misuse.exitStatus();
                }
                default -> {
                    return Linking.link(Library.get().symbol(what));
                }
            }
        } catch (Throwable e) {
            Messages.unexpected(
                    what < 0 ? "begin or end" : "linking " + Library.get().symbol(what), e);
        }
        return 0;
    }
}
