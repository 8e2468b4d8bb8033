// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.wait;

import dev.verbatim.ibverbs.abi.Layouts.pollfd;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;

/** A descriptor that is readable since something happened, until it is cleared. */
public final class Wake {

    private static final short POLLIN = 1;

    private final int descriptor;
    private final long count = Native.allocate(Long.BYTES);
    private final long one = Native.allocate(Long.BYTES);

    /** Opens the descriptor. */
    public Wake() {
        Native.putLong(one, 1);
        descriptor = Native.eventfd(0, Native.EFD_NONBLOCK | Native.EFD_CLOEXEC);
        if (descriptor < 0) {
            throw new Refused(Native.errno(), "eventfd failed");
        }
    }

    public int descriptor() {
        return descriptor;
    }

    /** Something happened. From any thread; does not block. */
    public void raise() {
        long unused = Native.write(descriptor, one, Long.BYTES);
    }

    /** Whoever waits next waits for what happens from now on. */
    public void clear() {
        long unused = Native.read(descriptor, count, Long.BYTES);
    }

    /**
     * Waits until something happens.
     *
     * @param timeoutMillis how long at most
     * @throws Refused EINTR if a signal was handled
     */
    public void await(int timeoutMillis) {
        long entry = Native.allocate(pollfd.SIZE);
        pollfd.fd.set(entry, descriptor);
        pollfd.events.set(entry, POLLIN);
        int ready = Native.poll(entry, 1, timeoutMillis);
        Native.free(entry);
        if (ready < 0) {
            throw new Refused(-ready, "poll failed");
        }
    }

    /** Closes the descriptor. */
    public void close() {
        int unused = Native.close(descriptor);
        Native.free(count);
        Native.free(one);
    }
}
