// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.wait;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;

/**
 * A descriptor that is readable while events wait: an eventfd of which each read takes one. The program's thread reads it in
 * {@code verbatim.c}, blocking or not as the program has set it, and fetches the event then.
 */
public final class Signal {

    private static final long ONE = Native.allocate(Long.BYTES);

    /** A {@code struct iovec}, and behind it the buffer that it names, of which nobody looks at the contents. */
    private static final long VECTOR = Native.allocate(3 * Long.BYTES);

    static {
        Native.putLong(ONE, 1);
        Native.putLong(VECTOR, VECTOR + 2 * Long.BYTES);
        Native.putLong(VECTOR + Long.BYTES, Long.BYTES);
    }

    private final int descriptor;
    private boolean isClosed;

    /** Opens the descriptor. */
    public Signal() {
        descriptor = Native.eventfd(0, Native.EFD_SEMAPHORE | Native.EFD_CLOEXEC);
        if (descriptor < 0) {
            throw new Refused(Native.errno(), "eventfd failed");
        }
    }

    public int descriptor() {
        return descriptor;
    }

    /** One more event waits. From any thread; does not block. Once it is closed this does nothing: the program may have the number anew. */
    public synchronized void raise() {
        if (!isClosed) {
            long unused = Native.write(descriptor, ONE, Long.BYTES);
        }
    }

    /**
     * An event that was told of is gone. Where the program has read the descriptor for it already, there is nothing to do. From any thread;
     * does not block. Linux before 5.8 cannot read so; there the descriptor stays readable.
     *
     * @return whether the descriptor can be read once less
     */
    public synchronized boolean lower() {
        return !isClosed && Native.readAtOnce(descriptor, VECTOR, 1) == Long.BYTES;
    }

    /** Closes the descriptor. */
    public synchronized void close() {
        isClosed = true;
        int unused = Native.close(descriptor);
    }

    public synchronized boolean isClosed() {
        return isClosed;
    }
}
