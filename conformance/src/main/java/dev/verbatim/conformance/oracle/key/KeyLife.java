// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.key;

import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import org.jspecify.annotations.Nullable;

/** The time for which a key is valid. A key may have several lives, of which one begins when the other has ended. */
public final class KeyLife {

    public final int key;
    /** What it understands; null if it is older than the trace. */
    private final @Nullable KeyChanged range;
    /** Where in the trace it began; -1 before it. */
    public final long since;

    private boolean displaced;
    private long displacement;

    /** Where in the trace it ended; -1 if it has not. */
    public long revokedAt = -1;
    /** From where on in the trace it is known to have ended, by a completion or by the return of a verb; -1 if it is not. */
    public long closedAt = -1;

    /** The window that it is of, when that was said. */
    @Nullable
    public WindowModel window;

    /** Of a window: what a peer may do. */
    public int access;

    /** Of a window of type 2: over which queue pair it was bound, in that life of it. */
    @Nullable
    public QueuePairState owner;

    /** Of a window: the local key of the region underneath. */
    @Nullable
    public KeyLife region;

    /** The life of a key that became valid. */
    KeyLife(KeyChanged begin, long position) {
        this.key = begin.key();
        this.range = begin;
        this.since = position;
    }

    /** The life of a key that was valid before the trace began. */
    KeyLife(int key) {
        this.key = key;
        this.range = null;
        this.since = -1;
    }

    public boolean isKnown() {
        return range != null;
    }

    public boolean isRevoked() {
        return revokedAt >= 0;
    }

    /** It is not valid any more; of a region nothing else is to come. */
    void revoke(long position) {
        revokedAt = position;
        if (window == null) {
            closedAt = position;
        }
    }

    /** A program has seen that it ended. */
    public void close(long position) {
        closedAt = closedAt < 0 ? position : closedAt;
    }

    /** Whether so many bytes from an address of the key on can be those at that address of memory. */
    public boolean agrees(long address, long memoryAddress, int lengthBytes) {
        KeyChanged known = range;
        if (known == null) {
            if (!displaced) {
                displaced = true;
                displacement = memoryAddress - address;
            }
            return displacement == memoryAddress - address;
        }
        long offset = address - known.address();
        return offset >= 0
                && offset + lengthBytes <= known.lengthBytes()
                && memoryAddress - known.memoryAddress() == offset;
    }

    /** Whether these bytes of memory are its own, as far as is known. */
    public boolean contains(long memoryAddress, int lengthBytes) {
        KeyChanged known = range;
        if (known == null) {
            return true;
        }
        long offset = memoryAddress - known.memoryAddress();
        return offset >= 0 && offset + lengthBytes <= known.lengthBytes();
    }

    /** Whether it understands exactly these bytes. */
    public boolean is(long address, long memoryAddress, long lengthBytes) {
        KeyChanged known = range;
        return known == null
                || (known.address() == address
                        && known.memoryAddress() == memoryAddress
                        && known.lengthBytes() == lengthBytes);
    }

    /** The memory's address of the byte that it has at that address; -1 if that is not known. */
    public long memoryAddressOf(long address) {
        KeyChanged known = range;
        return known == null ? -1 : known.memoryAddress() + (address - known.address());
    }

    @Override
    public String toString() {
        return Text.key(key);
    }
}
