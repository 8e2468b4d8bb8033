// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemorySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Memory of the program at its own addresses. It may be unmapped while it is registered, so the device asks before it touches any:
 * then the request ends with an error, and not the process.
 */
public final class ProcessMemory implements MemorySource {

    /** What a program can address: implicit on-demand paging registers all of it. */
    static final long USER_BYTES = 1L << 47;

    private final long address;
    private final boolean isPersistent;
    private boolean said;

    private ProcessMemory(long address, boolean isPersistent) {
        this.address = address;
        this.isPersistent = isPersistent;
    }

    /** A range of the process's memory. */
    public static Memory at(long address, long lengthBytes) {
        return at(address, lengthBytes, false);
    }

    /** With {@code isPersistent}, of a file, to which FLUSH writes. */
    static Memory at(long address, long lengthBytes, boolean isPersistent) {
        return Memory.at(address, lengthBytes, new ProcessMemory(address, isPersistent));
    }

    @Override
    public boolean isPersistent() {
        return isPersistent;
    }

    @Override
    public void force(long offset, long lengthBytes) {
        if (!Native.synchronize(address + offset, lengthBytes)) {
            throw new UncheckedIOException(new IOException("msync of a mapped file failed"));
        }
    }

    @Override
    public ByteBuffer bytes(long offset, int lengthBytes) {
        return Native.buffer(address + offset, lengthBytes);
    }

    @Override
    public boolean isUsable(long offset, long lengthBytes, boolean written) {
        boolean usable = Library.isUsable(address + offset, lengthBytes, written);
        if (!usable && !said) {
            said = true;
            Messages.say(
                    "registered memory [0x%x,0x%x) cannot be %s: %s",
                    address + offset,
                    address + offset + lengthBytes,
                    written ? "written" : "read",
                    whyNot(address + offset, lengthBytes));
        }
        return usable;
    }

    private static String whyNot(long from, long lengthBytes) {
        for (long page = from & -Native.PAGE_BYTES; page < from + lengthBytes; page += Native.PAGE_BYTES) {
            if (!Native.isMapped(page)) {
                return "it was unmapped; deregister a region before its memory goes";
            }
        }
        return "its pages were replaced or protected, or its file was cut short; an adapter goes on with those of the registration, which"
                + " this device cannot";
    }
}
