// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import dev.verbatim.ibverbs.cause.Misuse;

/**
 * Tells libverbatim-memory.so where regions are, so that it tells when the program gives that memory back. Its lists are a struct of
 * memory.h, which has no locks: free(3) reads it. Regions beyond its size are not watched.
 */
final class FreedMemory {

    private static final int MOST = 0, USED = 8, LOWEST = 16, HIGHEST = 24, REGISTRATIONS = 32, BEGIN = 40;

    private FreedMemory() {}

    /** A region has these bytes. */
    static void watch(long begin, long lengthBytes) {
        long list = Misuse.ON ? Library.memory() : 0;
        if (list != 0 && begin != 0 && lengthBytes > 0) {
            synchronized (FreedMemory.class) {
                add(list, begin, begin + lengthBytes);
            }
        }
    }

    private static void add(long list, long begin, long end) {
        Native.putLong(list + REGISTRATIONS, Native.getLong(list + REGISTRATIONS) + 1);
        long most = Native.getLong(list + MOST);
        long used = Native.getLong(list + USED);
        long place = 0;
        while (place < used && Native.getLong(list + BEGIN + place * Long.BYTES) != 0) {
            place++;
        }
        if (place == most) {
            return;
        }
        long lowest = Native.getLong(list + LOWEST);
        Native.putLong(list + LOWEST, used == 0 ? begin : Math.min(lowest, begin));
        Native.putLong(list + HIGHEST, Math.max(Native.getLong(list + HIGHEST), end));
        Native.putLong(list + BEGIN + (most + place) * Long.BYTES, end);
        Native.putLong(list + BEGIN + place * Long.BYTES, begin);
        Native.putLong(list + USED, Math.max(used, place + 1));
    }

    /** A region with these bytes is no more. */
    static void forget(long begin, long lengthBytes) {
        long list = Misuse.ON ? Library.memory() : 0;
        if (list != 0 && begin != 0) {
            synchronized (FreedMemory.class) {
                long ends = Native.getLong(list + MOST) * Long.BYTES;
                long used = Native.getLong(list + USED);
                for (long at = list + BEGIN; at < list + BEGIN + used * Long.BYTES; at += Long.BYTES) {
                    if (Native.getLong(at) == begin && Native.getLong(at + ends) == begin + lengthBytes) {
                        Native.putLong(at, 0);
                        return;
                    }
                }
            }
        }
    }

    /** The program gives memory back by the function of this name: a block of its allocator, or pages. */
    static void memory_freed(long address, long lengthBytes, long name, int isBlock) {
        Misuse.freed(address, lengthBytes, isBlock != 0, Native.string(name));
    }
}
