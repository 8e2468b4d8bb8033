// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import java.util.ArrayList;
import java.util.List;

/** The threads that wait in C for an event, as {@code verbatim.c} lists them, and how often they were seen there. */
final class WaitingThreads {

    /** Of {@code struct waiting}, and of {@code waits}. */
    private static final int OBJECT = 0,
            COUNT = 8,
            INDEX = 16,
            CALLERS = 24,
            SIZE = CALLERS + NativeCallSite.MOST_FRAMES * Long.BYTES,
            PLACES = 64;

    private final long table;
    private final long[] counts = new long[PLACES];
    private final int[] looks = new int[PLACES];

    WaitingThreads(long table) {
        this.table = table;
    }

    /** A thread that waits. */
    record Waiting(String symbol, long object, NativeCallSite place) {}

    /** Looks once more; those that were seen so often, or more often. */
    List<Waiting> look(int times, boolean orMore) {
        List<Waiting> found = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            long at = table + (long) i * SIZE;
            long object = Native.getLong(at + OBJECT);
            long count = Native.getLong(at + COUNT);
            boolean isSame = object > 0 && count == counts[i];
            counts[i] = object > 0 ? count : -1;
            looks[i] = isSame ? looks[i] + 1 : 0;
            if (isSame && (looks[i] == times || (orMore && looks[i] > times))) {
                String symbol = Library.get().nameOf((int) Native.getLong(at + INDEX));
                found.add(new Waiting(symbol, object, NativeCallSite.at(at + CALLERS)));
            }
        }
        return found;
    }
}
