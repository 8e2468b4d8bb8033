// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.place.Adapters;

/** What {@code verbatim.c} calls by JNI. */
public final class Entry {

    private Entry() {}

    /**
     * Called once, on a thread that ends after it.
     *
     * @param library the table that the library hands over: number of symbols, the symbols, a function that tests memory
     */
    static void begin(long library) {
        Library.describedAt(library);
    }

    /** The function pointer that answers a symbol from now on; 0 if nothing answers it. */
    static long link(int index) {
        try {
            return Linking.link(Library.get().symbol(index));
        } catch (Throwable e) {
            Messages.unexpected("linking " + Library.get().symbol(index), e);
            return 0;
        }
    }

    /** The program ends by exit(3), or returns from main: peers are told before the process is gone. */
    static void exit() {
        try {
            Adapters.closeAll();
        } catch (Throwable e) {
            Messages.unexpected("exit", e);
        }
    }
}
