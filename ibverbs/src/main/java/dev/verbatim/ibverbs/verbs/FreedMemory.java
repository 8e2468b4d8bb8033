// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import dev.verbatim.ibverbs.cause.Misuse;

/**
 * Tells libverbatim-memory.so where regions begin, so that it tells when the program gives that memory back. Its list is a struct of
 * memory.h, which has no locks: free(3) reads it. Regions beyond its size are not watched.
 */
final class FreedMemory {

    private static final int MOST = 0, USED = 8, LOWEST = 16, HIGHEST = 24, BEGIN = 32;

    private FreedMemory() {}

    /** A region begins there. */
    static void watch(long begin) {
        long list = Misuse.ON ? Library.memory() : 0;
        if (list != 0 && begin != 0) {
            synchronized (FreedMemory.class) {
                add(list, begin);
            }
        }
    }

    private static void add(long list, long begin) {
        long used = Native.getLong(list + USED);
        long place = 0;
        while (place < used && Native.getLong(list + BEGIN + place * Long.BYTES) != 0) {
            place++;
        }
        if (place == Native.getLong(list + MOST)) {
            return;
        }
        long lowest = Native.getLong(list + LOWEST);
        Native.putLong(list + LOWEST, used == 0 ? begin : Math.min(lowest, begin));
        Native.putLong(list + HIGHEST, Math.max(Native.getLong(list + HIGHEST), begin));
        Native.putLong(list + BEGIN + place * Long.BYTES, begin);
        Native.putLong(list + USED, Math.max(used, place + 1));
    }

    /** The region is no more. */
    static void forget(long begin) {
        long list = Misuse.ON ? Library.memory() : 0;
        if (list != 0 && begin != 0) {
            synchronized (FreedMemory.class) {
                long used = Native.getLong(list + USED);
                for (long at = list + BEGIN; at < list + BEGIN + used * Long.BYTES; at += Long.BYTES) {
                    if (Native.getLong(at) == begin) {
                        Native.putLong(at, 0);
                        return;
                    }
                }
            }
        }
    }

    /** The program gives memory back by the function of this name. */
    static void memory_freed(long address, long lengthBytes, long name) {
        Misuse.freed(address, lengthBytes, Native.string(name));
    }
}
